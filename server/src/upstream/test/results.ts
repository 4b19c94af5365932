import assert from 'node:assert/strict'
import type { Result, UpstreamFailure } from '../http/errors.ts'

export function expectValue<T>(result: Result<T>): T {
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

export function expectFailure(result: Result<unknown>): UpstreamFailure {
  assert.ok(!result.ok, JSON.stringify(result))
  return result.failure
}
