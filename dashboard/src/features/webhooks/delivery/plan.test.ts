import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptRecord, Delivery } from '@hubline/sdk/console'
import fc from 'fast-check'
import { WAITS_MS } from '../../../api/generated/definitions.gen.ts'
import { ATTEMPTS_MAX, isFinal, isSuccess, planAttempts, toStart } from './plan.ts'

const DUE = '2026-11-17T12:00:00.000Z'

function delivery(status: Delivery['status'], attempts: number): Delivery {
  return { status, attempts, next_attempt_at: DUE } as Delivery
}

function record(number: number, http_status: number | null = 500): AttemptRecord {
  return { number, http_status, ended_at: '2026-11-17T11:00:10.000Z', timings: { total_ms: 10_000 } } as AttemptRecord
}

/** Each attempt by the first letter of its state. */
function sketch(plan: ReturnType<typeof planAttempts>): string {
  return plan.map(({ state }) => state.charAt(0)).join('')
}

test('a delivery has ten attempts: those that were, the one that is, and those that may come', () => {
  const rows = [
    [delivery('pending', 0), [], 'npppppppppp'],
    [delivery('retry', 2), [record(1), record(2)], 'ffnppppppp'],
    [delivery('processing', 3), [record(1), record(2)], 'ffruuuuuuu'],
    [delivery('succeeded', 2), [record(1), record(2, 204)], 'fsuuuuuuuu'],
    [delivery('canceled', 1), [record(1)], 'fuuuuuuuuu'],
    [delivery('dead', 10), Array.from({ length: 10 }, (_, index) => record(index + 1)), 'ffffffffff'],
    // The records of older attempts go with time.
    [delivery('retry', 2), [record(2)], 'ufnppppppp'],
  ] as const
  for (const [one, records, states] of rows) {
    assert.equal(sketch(planAttempts(one, records, 'active')), states.slice(0, ATTEMPTS_MAX))
  }
})

test('the next attempt is when the hub says, and each later one a wait after the one before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: ATTEMPTS_MAX - 1 }), (attempts) => {
      const plan = planAttempts(delivery(attempts === 0 ? 'pending' : 'retry', attempts), [], 'active')
      const times = plan.slice(attempts).map((attempt) => ('at' in attempt ? Date.parse(attempt.at ?? '') : Number.NaN))
      assert.equal(times[0], Date.parse(DUE))
      const waits = times.slice(1).map((time, position) => time - times[position]!)
      assert.deepEqual(waits, WAITS_MS.slice(attempts))
    }),
  )
})

test('a paused endpoint has a next attempt, but no time for it', () => {
  const plan = planAttempts(delivery('retry', 1), [record(1)], 'paused')

  assert.equal(sketch(plan), 'fnpppppppp')
  for (const attempt of plan.slice(1)) assert.equal('at' in attempt && attempt.at, undefined)
})

test('an attempt began as long before its end as it took', () => {
  assert.equal(toStart(record(1)), '2026-11-17T11:00:00.000Z')
  assert.equal(toStart({ ...record(1), timings: null }), '2026-11-17T11:00:10.000Z')
})

test('only a response of the 2xx class is a success, and only what has ended is final', () => {
  const codes = [null, 199, 200, 204, 299, 300, 302, 404, 500]
  assert.deepEqual(
    codes.filter((code) => isSuccess(record(1, code))),
    [200, 204, 299],
  )
  const statuses = ['pending', 'processing', 'retry', 'succeeded', 'dead', 'canceled'] as const
  assert.deepEqual(
    statuses.filter((status) => isFinal({ status })),
    ['succeeded', 'dead', 'canceled'],
  )
})
