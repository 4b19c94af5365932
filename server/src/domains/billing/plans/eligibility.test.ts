import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { CATALOG, PRICE_KEYS } from './catalog.ts'
import { requireAddonEligibility, requirePlanEligibility } from './eligibility.ts'
import type { Entitlement, SubscriptionStatus } from './entitlement.ts'
import { computeLimits, PAID_PLANS, PLANS } from './plans.ts'

const NOTHING = { channels: 0, webhook_endpoints: 0 }

function entitlement(plan: Entitlement['plan'], addons = 0, status: SubscriptionStatus = 'active'): Entitlement {
  return { plan, status, addons, periodStart: null, periodEnd: null, cancelsAt: null }
}

function assertRefused(work: () => void, code: ErrorCode, details: object | null = null): void {
  assert.throws(work, (err) => {
    assert.ok(err instanceof AppError)
    assert.equal(err.code, code)
    if (details) assert.partialDeepStrictEqual(err.details, details)
    return true
  })
}

test('the plans have these limits, and each additional connection adds one channel', {
  rules: ['billing.free-plan', 'billing.starter-plan', 'billing.pro-plan'],
}, () => {
  assert.deepEqual(PLANS, {
    free: { channels: 2, webhook_endpoints: 5, addonsMax: 0 },
    starter: { channels: 5, webhook_endpoints: 20, addonsMax: 20 },
    pro: { channels: 20, webhook_endpoints: 100, addonsMax: 200 },
  })
  assert.deepEqual(computeLimits({ plan: 'starter', addons: 3 }), { channels: 8, webhook_endpoints: 20 })
})

test('the catalog has one price for each price key', () => {
  assert.deepEqual(CATALOG.map(({ lookupKey }) => lookupKey).sort(), Object.values(PRICE_KEYS).sort())
})

for (const [plan, total] of [
  ['starter', 0],
  ['starter', 20],
  ['pro', 200],
] as const) {
  test(`${plan} may have ${total} additional connections`, () => {
    requireAddonEligibility(entitlement(plan), NOTHING, total)
  })
}

for (const [plan, total, max] of [
  ['free', 0, 0],
  ['free', 1, 0],
  ['starter', 21, 20],
  ['pro', 201, 200],
] as const) {
  test(`${plan} refuses ${total} additional connections`, () => {
    assertRefused(() => requireAddonEligibility(entitlement(plan), NOTHING, total), 'ADDON_NOT_ALLOWED', {
      min: 0,
      max,
    })
  })
}

test('a total below what is in use is refused with the lowest possible total', () => {
  const used = { channels: 8, webhook_endpoints: 0 }

  requireAddonEligibility(entitlement('starter', 5), used, 3)
  assertRefused(() => requireAddonEligibility(entitlement('starter', 5), used, 2), 'ADDON_NOT_ALLOWED', {
    min: 3,
    max: 20,
  })
})

test('a refusal names the plans that have additional connections, in a list without words', () => {
  assertRefused(() => requireAddonEligibility(entitlement('free'), NOTHING, 1), 'ADDON_NOT_ALLOWED', {
    reason: 'connections_of_another_plan',
    parameters: { plans: 'starter, pro' },
  })
})

test('an organization with an unpaid invoice may not add connections or change the plan', () => {
  for (const status of ['past_due', 'suspended'] as const) {
    const used = { ...NOTHING, channels: 7 }
    assertRefused(() => requireAddonEligibility(entitlement('starter', 3, status), used, 4), 'ADDON_NOT_ALLOWED', {
      min: 2,
      max: 20,
    })
    assertRefused(
      () => requirePlanEligibility(entitlement('starter', 0, status), NOTHING, 'pro'),
      'CHECKOUT_NOT_ALLOWED',
    )
  }
})

test('the refusal of a plan change without a plan does not mention an unpaid invoice', () => {
  for (const [status, message] of [
    ['canceled', /new checkout/],
    ['active', /operator/],
  ] as const) {
    assert.throws(() => requirePlanEligibility(entitlement('free', 0, status), NOTHING, 'pro'), message)
  }
})

test('a change to the current plan is refused with the names of the others', () => {
  for (const plan of PAID_PLANS) {
    assertRefused(() => requirePlanEligibility(entitlement(plan), NOTHING, plan), 'CHECKOUT_NOT_ALLOWED')
    for (const other of PAID_PLANS.filter((name) => name !== plan)) {
      assert.throws(() => requirePlanEligibility(entitlement(plan), NOTHING, plan), new RegExp(`: .*${other}`))
      requirePlanEligibility(entitlement(plan), NOTHING, other)
    }
  }
})

test('a smaller plan is allowed only if its limits cover what is in use', () => {
  requirePlanEligibility(entitlement('pro', 3), { channels: 8, webhook_endpoints: 20 }, 'starter')
  for (const [addons, channels, webhook_endpoints] of [
    [3, 9, 0],
    [0, 0, 21],
    [21, 0, 0],
  ] as const) {
    assertRefused(
      () => requirePlanEligibility(entitlement('pro', addons), { channels, webhook_endpoints }, 'starter'),
      'CHECKOUT_NOT_ALLOWED',
    )
  }
})
