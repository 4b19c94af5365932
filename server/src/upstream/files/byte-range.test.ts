import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatRange, parseContentRange, parseRange, resolveRange } from './byte-range.ts'

for (const [header, range] of [
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=5-', { first: 5, last: null }],
  ['bytes=-7', { suffix: 7 }],
  ['bytes=-', undefined],
  ['bytes=9-5', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes= 0-1', undefined],
  ['items=0-1', undefined],
  [undefined, undefined],
] as const) {
  test(`the range ${header} is parsed as ${JSON.stringify(range)}`, () => {
    assert.deepEqual(parseRange(header), range)
  })
}

for (const [header, position] of [
  ['bytes=0-0', { start: 0, end: 0, total: 10 }],
  ['bytes=4-', { start: 4, end: 9, total: 10 }],
  ['bytes=4-99', { start: 4, end: 9, total: 10 }],
  ['bytes=-3', { start: 7, end: 9, total: 10 }],
  ['bytes=-99', { start: 0, end: 9, total: 10 }],
  ['bytes=10-', undefined],
  ['bytes=-0', undefined],
] as const) {
  test(`in ten bytes the range ${header} resolves to ${JSON.stringify(position)}`, () => {
    assert.deepEqual(resolveRange(parseRange(header)!, 10), position)
  })
}

test('a parsed range is formatted unchanged, and a Content-Range is parsed', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.integer({ min: 1, max: 2000 }), (a, b, total) => {
      const range = { first: Math.min(a, b), last: Math.max(a, b) }
      const place = resolveRange(range, total)

      assert.deepEqual(parseRange(formatRange(range)), range)
      assert.equal(place === undefined, range.first >= total)
      if (place) assert.deepEqual(parseContentRange(`bytes ${place.start}-${place.end}/${place.total}`), place)
    }),
  )
})

for (const header of ['bytes 5-4/10', 'bytes 0-10/10', 'bytes */10', 'bytes 0-5/*', 'items 0-5/10', undefined]) {
  test(`the Content-Range ${header} is invalid`, () => {
    assert.equal(parseContentRange(header), undefined)
  })
}
