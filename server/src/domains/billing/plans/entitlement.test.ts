import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CustomerState, ProviderSubscription } from '../../../payments/payments.ts'
import { PRICE_KEYS } from './catalog.ts'
import { chooseSubscription, computeEntitlement } from './entitlement.ts'

const PERIOD = { periodStart: '2026-11-01T10:00:00.000Z', periodEnd: '2026-12-01T10:00:00.000Z' }

function subscription(given: Partial<ProviderSubscription> = {}): ProviderSubscription {
  return {
    id: 'sub_1',
    customerId: 'cus_1',
    status: 'active',
    createdAt: '2026-11-01T10:00:00.000Z',
    currency: 'brl',
    items: [{ id: 'si_1', lookupKey: PRICE_KEYS.starter, quantity: 1, price: null }],
    ...PERIOD,
    cancelsAt: null,
    hasEverPaid: true,
    latestInvoiceId: 'in_1',
    pendingUpdate: null,
    ...given,
  }
}

function state(...subscriptions: ProviderSubscription[]): CustomerState {
  return { subscriptions, openCheckouts: [], isDeleted: false }
}

const FREE = { plan: 'free', addons: 0, periodStart: null, periodEnd: null, cancelsAt: null }

for (const [provider, own] of [
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'suspended'],
  ['paused', 'suspended'],
  ['an unknown status', 'past_due'],
] as const) {
  test(`a paid subscription with the provider status "${provider}" is ${own} and has its plan`, {
    rules: ['billing.statuses-are-six'],
  }, () => {
    assert.deepEqual(computeEntitlement(state(subscription({ status: provider }))), {
      plan: 'starter',
      status: own,
      addons: 0,
      cancelsAt: null,
      ...PERIOD,
    })
  })

  test(`an unpaid subscription with the provider status "${provider}" has the free plan`, () => {
    const unpaid = state(subscription({ status: provider, hasEverPaid: false }))

    assert.deepEqual(computeEntitlement(unpaid), { ...FREE, status: 'pending_payment' })
  })
}

test('the status is none without a purchase, and pending_payment with an open checkout or first invoice', {
  rules: ['billing.statuses-are-six'],
}, () => {
  const incomplete = subscription({ status: 'incomplete', hasEverPaid: false })

  assert.deepEqual(computeEntitlement(state()), { ...FREE, status: 'none' })
  assert.deepEqual(computeEntitlement({ ...state(), openCheckouts: [{ id: 'cs_1' }] }), {
    ...FREE,
    status: 'pending_payment',
  })
  assert.deepEqual(computeEntitlement(state(incomplete)), { ...FREE, status: 'pending_payment' })
  assert.deepEqual(computeEntitlement(state({ ...incomplete, status: 'incomplete_expired' })), {
    ...FREE,
    status: 'none',
  })
})

test('an ended subscription is canceled; a new checkout after it is pending_payment', {
  rules: ['billing.statuses-are-six'],
}, () => {
  const ended = subscription({ status: 'canceled' })

  assert.deepEqual(computeEntitlement(state(ended)), { ...FREE, status: 'canceled' })
  assert.equal(computeEntitlement({ ...state(ended), openCheckouts: [{ id: 'cs_2' }] }).status, 'pending_payment')
})

test('the keys of the prices determine the plan and the additional connections', () => {
  const items = [
    { id: 'si_2', lookupKey: PRICE_KEYS.connection, quantity: 3, price: null },
    { id: 'si_1', lookupKey: PRICE_KEYS.pro, quantity: 1, price: null },
    { id: 'si_3', lookupKey: 'something_else', quantity: 9, price: null },
  ]

  const { plan, addons } = computeEntitlement(state(subscription({ items })))

  assert.deepEqual([plan, addons], ['pro', 3])
})

test('additional connections without a plan, and prices outside the catalog, have the free plan', () => {
  for (const lookupKey of [PRICE_KEYS.connection, null, 'something_else']) {
    const { plan, addons } = computeEntitlement(
      state(subscription({ items: [{ id: 'si_1', lookupKey, quantity: 5, price: null }] })),
    )

    assert.deepEqual([plan, addons], ['free', 0])
  }
})

test('a planned cancellation is shown and leaves the subscription active', () => {
  const cancelsAt = '2026-12-01T10:00:00.000Z'

  const entitlement = computeEntitlement(state(subscription({ cancelsAt })))

  assert.deepEqual([entitlement.status, entitlement.cancelsAt], ['active', cancelsAt])
})

test('the newest paid subscription that has not ended counts, in any order of the list', () => {
  const old = subscription({ id: 'old', createdAt: '2026-01-01T00:00:00.000Z' })
  const paid = subscription({ id: 'paid', createdAt: '2026-02-01T00:00:00.000Z' })
  const ended = subscription({ id: 'ended', createdAt: '2026-03-01T00:00:00.000Z', status: 'canceled' })
  const open = subscription({
    id: 'open',
    createdAt: '2026-04-01T00:00:00.000Z',
    status: 'incomplete',
    hasEverPaid: false,
  })

  fc.assert(
    fc.property(fc.shuffledSubarray([old, paid, ended, open], { minLength: 4 }), (listed) => {
      assert.equal(chooseSubscription(state(...listed))?.id, 'paid')
    }),
  )
})

test('a subscription without a plan counts only if no subscription has a plan', () => {
  const items = [{ id: 'si_2', lookupKey: null, quantity: 1, price: null }]
  const other = subscription({ id: 'other', createdAt: '2026-12-01T00:00:00.000Z', items })

  assert.equal(chooseSubscription(state(other, subscription()))?.id, 'sub_1')
  assert.equal(chooseSubscription(state(other))?.id, 'other')
})

test('no state without a paid invoice has more than the free plan', () => {
  const anySubscription = fc.record({
    status: fc.constantFrom('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'canceled'),
    lookupKey: fc.constantFrom(...Object.values(PRICE_KEYS)),
    quantity: fc.nat(50),
  })

  fc.assert(
    fc.property(fc.array(anySubscription), fc.nat(2), (subscriptions, checkouts) => {
      const entitlement = computeEntitlement({
        ...state(),
        subscriptions: subscriptions.map(({ status, lookupKey, quantity }, i) =>
          subscription({
            id: `sub_${i}`,
            status,
            hasEverPaid: false,
            items: [{ id: `si_${i}`, lookupKey, quantity, price: null }],
          }),
        ),
        openCheckouts: Array.from({ length: checkouts }, (_, i) => ({ id: `cs_${i}` })),
      })

      assert.deepEqual([entitlement.plan, entitlement.addons], ['free', 0])
    }),
  )
})
