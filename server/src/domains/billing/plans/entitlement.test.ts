import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CustomerState, ProviderSubscription } from '../../../payments/payments.ts'
import { chooseSubscription, computeEntitlement } from './entitlement.ts'
import { PRICE_KEYS } from './plans.ts'

const PERIOD = { periodStart: '2026-11-01T10:00:00.000Z', periodEnd: '2026-12-01T10:00:00.000Z' }

function subscription(given: Partial<ProviderSubscription> = {}): ProviderSubscription {
  return {
    ...{ id: 'sub_1', customerId: 'cus_1', status: 'active', createdAt: '2026-11-01T10:00:00.000Z', currency: 'brl' },
    items: [{ id: 'si_1', key: PRICE_KEYS.starter, quantity: 1 }],
    ...PERIOD,
    ...{ cancelsAt: null, isPaid: true, latestInvoiceId: 'in_1', pending: null },
    ...given,
  }
}

function state(...subscriptions: ProviderSubscription[]): CustomerState {
  return { subscriptions, openCheckouts: [] }
}

const FREE = { plan: 'free', addons: 0, periodStart: null, periodEnd: null, cancelsAt: null }

for (const [provider, own] of [
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'suspended'],
  ['paused', 'suspended'],
  ['a word of tomorrow', 'past_due'],
] as const) {
  test(`a paid subscription that the provider calls ${provider} is ${own}, with the plan it was paid for`, {
    rules: ['D11-15'],
  }, () => {
    assert.deepEqual(computeEntitlement(state(subscription({ status: provider }))), {
      ...{ plan: 'starter', status: own, addons: 0, cancelsAt: null },
      ...PERIOD,
    })
  })

  test(`a subscription that the provider calls ${provider} and nobody has paid gives nothing`, () => {
    const unpaid = state(subscription({ status: provider, isPaid: false }))

    assert.deepEqual(computeEntitlement(unpaid), { ...FREE, status: 'pending_payment' })
  })
}

test('nothing bought is none; an open checkout and a first invoice are waited for', { rules: ['D11-15'] }, () => {
  const incomplete = subscription({ status: 'incomplete', isPaid: false })

  assert.deepEqual(computeEntitlement(state()), { ...FREE, status: 'none' })
  assert.deepEqual(computeEntitlement({ subscriptions: [], openCheckouts: [{ id: 'cs_1' }] }), {
    ...FREE,
    status: 'pending_payment',
  })
  assert.deepEqual(computeEntitlement(state(incomplete)), { ...FREE, status: 'pending_payment' })
  assert.deepEqual(computeEntitlement(state({ ...incomplete, status: 'incomplete_expired' })), {
    ...FREE,
    status: 'none',
  })
})

test('what is over is canceled, and after that a new checkout is waited for', { rules: ['D11-15'] }, () => {
  const over = subscription({ status: 'canceled' })

  assert.deepEqual(computeEntitlement(state(over)), { ...FREE, status: 'canceled' })
  assert.equal(computeEntitlement({ ...state(over), openCheckouts: [{ id: 'cs_2' }] }).status, 'pending_payment')
})

test('the plan and the connections are told by the names of the prices, and by nothing else', () => {
  const items = [
    { id: 'si_2', key: PRICE_KEYS.connection, quantity: 3 },
    { id: 'si_1', key: PRICE_KEYS.pro, quantity: 1 },
    { id: 'si_3', key: 'something_else', quantity: 9 },
  ]

  const { plan, addons } = computeEntitlement(state(subscription({ items })))

  assert.deepEqual([plan, addons], ['pro', 3])
})

test('connections without a plan, and prices that are none of ours, give nothing', () => {
  for (const key of [PRICE_KEYS.connection, null, 'something_else']) {
    const { plan, addons } = computeEntitlement(state(subscription({ items: [{ id: 'si_1', key, quantity: 5 }] })))

    assert.deepEqual([plan, addons], ['free', 0])
  }
})

test('an end that is planned is told, and changes nothing before it comes', () => {
  const cancelsAt = '2026-12-01T10:00:00.000Z'

  const standing = computeEntitlement(state(subscription({ cancelsAt })))

  assert.deepEqual([standing.status, standing.cancelsAt], ['active', cancelsAt])
})

test('of several the newest that is paid and not over counts, in whatever order they are listed', () => {
  const old = subscription({ id: 'old', createdAt: '2026-01-01T00:00:00.000Z' })
  const paid = subscription({ id: 'paid', createdAt: '2026-02-01T00:00:00.000Z' })
  const over = subscription({ id: 'over', createdAt: '2026-03-01T00:00:00.000Z', status: 'canceled' })
  const open = subscription({ id: 'open', createdAt: '2026-04-01T00:00:00.000Z', status: 'incomplete', isPaid: false })

  fc.assert(
    fc.property(fc.shuffledSubarray([old, paid, over, open], { minLength: 4 }), (listed) => {
      assert.equal(chooseSubscription(state(...listed))?.id, 'paid')
    }),
  )
})

test('a subscription to something else counts only where there is none to a plan', () => {
  const items = [{ id: 'si_2', key: null, quantity: 1 }]
  const other = subscription({ id: 'other', createdAt: '2026-12-01T00:00:00.000Z', items })

  assert.equal(chooseSubscription(state(other, subscription()))?.id, 'sub_1')
  assert.equal(chooseSubscription(state(other))?.id, 'other')
})

test('no state in which nothing was ever paid gives more than the free plan', () => {
  const anySubscription = fc.record({
    status: fc.constantFrom('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'canceled'),
    key: fc.constantFrom(...Object.values(PRICE_KEYS)),
    quantity: fc.nat(50),
  })

  fc.assert(
    fc.property(fc.array(anySubscription), fc.nat(2), (subscriptions, checkouts) => {
      const standing = computeEntitlement({
        subscriptions: subscriptions.map(({ status, key, quantity }, i) =>
          subscription({ id: `sub_${i}`, status, isPaid: false, items: [{ id: `si_${i}`, key, quantity }] }),
        ),
        openCheckouts: Array.from({ length: checkouts }, (_, i) => ({ id: `cs_${i}` })),
      })

      assert.deepEqual([standing.plan, standing.addons], ['free', 0])
    }),
  )
})
