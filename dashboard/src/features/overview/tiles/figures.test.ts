import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Statistics } from '@hubline/sdk/console'
import fc from 'fast-check'
import {
  computeFailedShare,
  computeGrowth,
  computeShare,
  computeShareSeries,
  findPeak,
  joinBuckets,
} from './figures.ts'

const figure = (total: number) => ({ total, previous_total: 0, series: [] })

function share({ sent = 0, refused = 0, failed = 0 }): number | undefined {
  const [none, messages] = [figure(0), { sent: figure(sent), refused: figure(refused), failed: figure(failed) }]
  return computeFailedShare({ ...messages, delivered: none, read: none, received: none })
}

test('the share of failures counts each message once, whether it failed before or after it was sent', () => {
  assert.equal(share({ sent: 3, failed: 1 }), 1 / 3)
  assert.equal(share({ sent: 2, refused: 1, failed: 1 }), 1 / 3)
  assert.equal(share({ sent: 3, refused: 1, failed: 2 }), 1 / 2)
  assert.equal(share({ refused: 2, failed: 2 }), 1)
  assert.equal(share({}), undefined)
})

test('a share is never above the whole, and nothing has no share', () => {
  assert.equal(computeShare(1, 4), 0.25)
  assert.equal(computeShare(5, 4), 1)
  assert.equal(computeShare(0, 4), 0)
  assert.equal(computeShare(3, 0), undefined)
})

test('a bucket in which nothing was sent keeps the share before it', () => {
  assert.deepEqual(computeShareSeries([0, 1, 5, 0], [0, 2, 0, 3]), [0, 0.5, 0.5, 0])
  assert.deepEqual(computeShareSeries([], [1, 0]), [0, 0])
})

test('growth is compared with the period before, if there was something in it', () => {
  assert.equal(computeGrowth({ total: 150, previous_total: 100 }), 0.5)
  assert.equal(computeGrowth({ total: 0, previous_total: 100 }), -1)
  assert.equal(computeGrowth({ total: 9, previous_total: 0 }), undefined)
})

test('a peak is at the start of the first of the largest buckets', () => {
  const statistics = { since: '2026-11-17T00:00:00.000Z', bucket_seconds: 3600 } as Statistics

  assert.equal(findPeak([0, 2, 7, 7], statistics)?.toISOString(), '2026-11-17T02:00:00.000Z')
  assert.equal(findPeak([0, 0], statistics), undefined)
  assert.equal(findPeak([], statistics), undefined)
})

test('joined buckets keep the sum and their order, and are at most as many as asked for', () => {
  assert.deepEqual(joinBuckets([1, 2, 3, 4, 5], 2), [6, 9])
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 50 }), (series, count) => {
      const joined = joinBuckets(series, count)
      const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
      assert.ok(joined.length <= count)
      assert.equal(add(joined), add(series))
      if (series.length <= count) assert.deepEqual(joined, series)
    }),
  )
})
