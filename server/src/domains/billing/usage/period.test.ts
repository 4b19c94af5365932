import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SUBSCRIPTION_STATUSES } from '../plans/entitlement.ts'
import { computeUsagePeriod } from './period.ts'

const NOW = new Date('2026-12-31T23:59:59.999Z')
const OWN = { period_start: '2026-12-10T08:30:00.000Z', current_period_end: '2027-01-10T08:30:00.000Z' }
const MONTH = { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' }

test('whoever was never subscribed is counted by the calendar month, in UTC', () => {
  assert.deepEqual(computeUsagePeriod(undefined, NOW), MONTH)
})

for (const status of SUBSCRIPTION_STATUSES) {
  const isPaid = ['active', 'past_due', 'suspended'].includes(status)
  test(`whoever is ${status} is counted by ${isPaid ? 'the period of the subscription' : 'the calendar month'}`, () => {
    const own = { start: OWN.period_start, end: OWN.current_period_end }

    assert.deepEqual(computeUsagePeriod({ status, ...OWN }, NOW), isPaid ? own : MONTH)
  })
}
