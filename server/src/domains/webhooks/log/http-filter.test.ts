import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHttpFilter } from './http-filter.ts'

test('a code is itself, a class all of its codes, and none is no response', () => {
  assert.deepEqual(parseHttpFilter('404'), { from: 404, to: 404 })
  assert.deepEqual(parseHttpFilter('5xx'), { from: 500, to: 599 })
  assert.equal(parseHttpFilter('none'), 'none')
})

test('anything else is refused with what to send instead', () => {
  for (const text of ['', '6xx', '40', '4x', '4040', 'NONE', '4xx,5xx']) {
    assert.throws(() => parseHttpFilter(text), /a code such as 404, a class such as 4xx, or none/, text)
  }
})
