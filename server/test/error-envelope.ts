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
  assert.ok(isObject(details), text)
  assert.match(String(details.reason), /^[a-z][a-z0-9_]+$/, text)
  assert.ok(isObject(details.parameters), text)
  for (const value of Object.values(details.parameters)) assert.match(typeof value, /^(string|number)$/, text)
}

/** Asserts that a response is an error in Meta's form. */
export function assertGraphError({ body, headers, text }: Pick<Answer, 'body' | 'headers' | 'text'>): void {
  assert.ok(isObject(body), text)
  assert.deepEqual(Object.keys(body), ['error'], text)
  assert.ok(isObject(body.error), text)
  const { message, type, code, fbtrace_id, ...others } = body.error
  assert.ok(typeof message === 'string' && message !== '', text)
  assert.match(String(type), /^(OAuthException|GraphMethodException)$/, text)
  assert.ok(Number.isInteger(code), text)
  assert.ok(typeof fbtrace_id === 'string' && fbtrace_id !== '', text)
  for (const name of Object.keys(others)) assert.ok(GRAPH_MEMBERS.includes(name), text)
  assert.match(headers.get('cache-control') ?? '', /no-store/)
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
}

const GRAPH_MEMBERS = ['error_subcode', 'error_data', 'error_user_title', 'error_user_msg', 'is_transient']
