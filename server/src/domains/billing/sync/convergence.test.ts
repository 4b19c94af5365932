import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PRICE_KEYS } from '../plans/catalog.ts'
import { PLANS } from '../plans/plans.ts'
import {
  changePlan,
  DECLINED,
  type Fixture,
  type Owner,
  readEntitlement,
  requestCheckout,
  setAddons,
  startBilling,
  VISA,
} from '../test/fixture.ts'

/** Actions of the organization and its bank, and the passing of time. */
const STEPS = {
  'opens a checkout for starter': (_fixture: Fixture, owner: Owner) => requestCheckout(owner, 'starter'),
  'opens a checkout for pro': (_fixture: Fixture, owner: Owner) => requestCheckout(owner, 'pro'),
  pays: (fixture: Fixture, owner: Owner) => payOpen(fixture, owner, VISA),
  'pays with a card that declines': (fixture: Fixture, owner: Owner) => payOpen(fixture, owner, DECLINED),
  'sets three connections': (_fixture: Fixture, owner: Owner) => setAddons(owner, { total: 3 }),
  'sets one connection': (_fixture: Fixture, owner: Owner) => setAddons(owner, { total: 1 }),
  'changes to starter': (fixture: Fixture, owner: Owner) => change(fixture, owner, 'starter'),
  'changes to pro': (fixture: Fixture, owner: Owner) => change(fixture, owner, 'pro'),
  'gets a card that declines': (fixture: Fixture, owner: Owner) => setCardIfAny(fixture, owner, 'declines'),
  'gets a card that succeeds': (fixture: Fixture, owner: Owner) => setCardIfAny(fixture, owner, 'succeeds'),
  'pays the open invoices': (fixture: Fixture, owner: Owner) => payInvoices(fixture, owner),
  cancels: (fixture: Fixture, owner: Owner) => actInPortal(fixture, owner, 'cancel'),
  resumes: (fixture: Fixture, owner: Owner) => actInPortal(fixture, owner, 'resume'),
  'waits ten days': (fixture: Fixture) => fixture.advanceDays(10),
  'waits forty days': (fixture: Fixture) => fixture.advanceDays(40),
} as const
type Step = keyof typeof STEPS

/** Callbacks in any order, repeated, and some dropped. */
const policies = fc.record({
  order: fc.constantFrom('kept', 'reversed', 'shuffled'),
  duplicates: fc.nat(2),
  drop: fc.subarray(['invoice.paid', 'customer.subscription.updated', 'checkout.session.completed']),
})

const scenarios = fc.tuple(
  fc.constantFrom('opens a checkout for starter', 'opens a checkout for pro') as fc.Arbitrary<Step>,
  fc.constantFrom('pays', 'pays with a card that declines') as fc.Arbitrary<Step>,
  fc.array(fc.constantFrom(...(Object.keys(STEPS) as Step[])), { minLength: 3, maxLength: 9 }),
)

test('with callbacks in any order, repeated or dropped, the hub reaches the provider state and grants nothing unpaid', {
  rules: ['billing.quota-counts-once-paid'],
}, async (t) => {
  const fixture = await startBilling(t)
  await fixture.control('PUT', '/payments/settings', { after_retries: 'unpaid' })

  await fc.assert(
    fc.asyncProperty(scenarios, policies, fc.integer(), async ([first, second, rest], policy, seed) => {
      const owner = await fixture.hub.organization()
      await fixture.control('PUT', '/payments/webhooks/policy', policy)
      for (const step of [first, second, ...rest]) {
        await STEPS[step](fixture, owner)
        await assertPaidFor(fixture, owner)
        await fixture.sendCallbacks()
        await assertPaidFor(fixture, owner)
      }
      await redeliverEvents(fixture, owner, seed)

      const { plan, status, addons } = await readEntitlement(owner)
      assert.deepEqual({ plan, status, addons }, await computeExpected(fixture, owner))
    }),
    { numRuns: 8 },
  )
})

/** Changes the plan of a subscriber if that is allowed; otherwise only opens a checkout. */
async function change(fixture: Fixture, owner: Owner, plan: string): Promise<void> {
  const { body } = await requestCheckout(owner, plan)
  const url = new URL(body.data?.checkout_url ?? 'http://nowhere/')
  if (url.pathname.startsWith('/billing/plan/')) await changePlan(fixture.hub, url.pathname)
}

async function payOpen(fixture: Fixture, owner: Owner, card: string): Promise<void> {
  const open = (await fixture.listOwned(owner, 'checkout_sessions')).find(({ status }) => status === 'open')
  if (open) await fixture.payCheckout(open.url, card)
}

async function setCardIfAny(fixture: Fixture, owner: Owner, outcome: 'succeeds' | 'declines'): Promise<void> {
  if ((await fixture.listOwned(owner, 'payment_methods')).length > 0) await fixture.setCard(owner, outcome)
}

async function payInvoices(fixture: Fixture, owner: Owner): Promise<void> {
  const open = (await fixture.listOwned(owner, 'invoices')).filter(({ status }) => status === 'open')
  for (const { id } of open) await fixture.control('POST', `/payments/invoices/${id}/pay`, { card: VISA })
}

async function actInPortal(fixture: Fixture, owner: Owner, action: string): Promise<void> {
  const customer = await fixture.findCustomerId(owner)
  const live = (await fixture.listOwned(owner, 'subscriptions')).filter(({ status }) => status !== 'canceled')
  const matching = live.filter(({ cancel_at }) => (action === 'cancel') === (cancel_at === null))
  if (matching.length > 0) await fixture.control('POST', `/payments/customers/${customer}/portal`, { action })
}

/** Redelivers the organization's events in another order, then reconciles to cover the dropped ones. */
async function redeliverEvents(fixture: Fixture, owner: Owner, seed: number): Promise<void> {
  const customer = await fixture.findCustomerId(owner)
  await fixture.control('PUT', '/payments/webhooks/policy', { order: 'kept', duplicates: 0, drop: [] })
  const events = (await fixture.listObjects('events')).filter(({ data }) => data.object.customer === customer)
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(events, { minLength: events.length }), { seed, numRuns: 1 })
  for (const { id } of shuffled.slice(-8)) await fixture.control('POST', `/payments/events/${id}/redeliver`)
  await fixture.hub.clock.advance('1 day')
  await fixture.hub.context.sync.reconcile()
}

/** Every granted plan and connection has a paid invoice at the provider. */
async function assertPaidFor(fixture: Fixture, owner: Owner): Promise<void> {
  const { plan, addons, channels } = await readEntitlement(owner)
  if (plan === 'free') return assert.equal(channels, PLANS.free.channels)
  const paid = (await fixture.listOwned(owner, 'invoices')).filter(({ status }) => status === 'paid')
  const lines = paid.flatMap(({ lines: { data } }) => data).filter(({ amount }) => amount >= 0)
  const keysByPrice = new Map((await fixture.listObjects('prices')).map(({ id, lookup_key }) => [id, lookup_key]))
  const bought = lines.map(({ pricing, quantity }) => ({ key: keysByPrice.get(pricing.price_details.price), quantity }))
  assert.ok(
    bought.some(({ key }) => key === PRICE_KEYS[plan as 'starter']),
    `${plan} was granted and never paid for`,
  )
  const most = Math.max(0, ...bought.flatMap(({ key, quantity }) => (key === PRICE_KEYS.connection ? [quantity] : [])))
  assert.ok(addons <= most, `${addons} connections were granted and ${most} paid for`)
}

/** The expected entitlement, computed from the provider's objects without the code under test. */
async function computeExpected(fixture: Fixture, owner: Owner) {
  const [subscriptions, sessions, invoices] = await Promise.all([
    fixture.listOwned(owner, 'subscriptions'),
    fixture.listOwned(owner, 'checkout_sessions'),
    fixture.listOwned(owner, 'invoices'),
  ])
  const isPaid = invoices.some(({ status }) => status === 'paid')
  const live = subscriptions.find(({ status }) => !['canceled', 'incomplete', 'incomplete_expired'].includes(status))
  if (!live) {
    const isOpen = sessions.some(({ status }) => status === 'open')
    return { plan: 'free', status: isOpen ? 'pending_payment' : isPaid ? 'canceled' : 'none', addons: 0 }
  }
  const findQuantity = (key: string) =>
    live.items.data.find(({ price }: { price: { lookup_key: string } }) => price.lookup_key === key)?.quantity ?? 0
  const status = { active: 'active', past_due: 'past_due', unpaid: 'suspended' }[live.status as string]
  return {
    plan: findQuantity(PRICE_KEYS.pro) > 0 ? 'pro' : 'starter',
    status,
    addons: findQuantity(PRICE_KEYS.connection),
  }
}
