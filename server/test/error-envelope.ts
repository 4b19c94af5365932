import assert from 'node:assert/strict'
import { isUuid } from '../src/kernel/ids.ts'
import { isObject } from '../src/kernel/json/values.ts'
import type { Answer } from './client.ts'

/** Asserts that a response is the contract's error object. */
export function assertErrorEnvelope({ body, headers, text }: Pick<Answer, 'body' | 'headers' | 'text'>): void {
  assert.ok(isObject(body), text)
  assert.deepEqual(Object.keys(body), ['error'], text)
  assert.ok(isObject(body.error), text)
  const { code, message, request_id, details } = body.error
  assert.match(String(code), /^[A-Z][A-Z_]+$/, text)
  assert.ok(typeof code === 'string' && typeof message === 'string' && message !== '', text)
  assert.ok(typeof request_id === 'string' && isUuid(request_id), text)
  assert.equal(headers.get('x-request-id'), request_id)
  assert.ok(details === undefined || details === null || isObject(details), text)
}
