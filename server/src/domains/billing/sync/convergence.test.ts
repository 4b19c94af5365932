import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PLANS, PRICE_KEYS } from '../plans/plans.ts'
import { changePlan, checkout, DECLINED, type Scene, setAddons, standing, startScene, VISA } from '../test/fixture.ts'

type Owner = Awaited<ReturnType<Scene['hub']['organization']>>

/** What may happen, by the organization, by its bank, or by time alone. */
const STEPS = {
  'opens a checkout for starter': (_scene: Scene, owner: Owner) => checkout(owner, 'starter'),
  'opens a checkout for pro': (_scene: Scene, owner: Owner) => checkout(owner, 'pro'),
  pays: (scene: Scene, owner: Owner) => payOpen(scene, owner, VISA),
  'pays with a bad card': (scene: Scene, owner: Owner) => payOpen(scene, owner, DECLINED),
  'wants three more': (_scene: Scene, owner: Owner) => setAddons(owner, { total: 3 }),
  'wants one more': (_scene: Scene, owner: Owner) => setAddons(owner, { total: 1 }),
  'changes to starter': (scene: Scene, owner: Owner) => change(scene, owner, 'starter'),
  'changes to pro': (scene: Scene, owner: Owner) => change(scene, owner, 'pro'),
  'has a bad card': (scene: Scene, owner: Owner) => behave(scene, owner, 'declines'),
  'has a good card': (scene: Scene, owner: Owner) => behave(scene, owner, 'succeeds'),
  'pays what is open': (scene: Scene, owner: Owner) => payInvoices(scene, owner),
  cancels: (scene: Scene, owner: Owner) => actInPortal(scene, owner, 'cancel'),
  resumes: (scene: Scene, owner: Owner) => actInPortal(scene, owner, 'resume'),
  'waits ten days': (scene: Scene) => scene.pass(10),
  'waits forty days': (scene: Scene) => scene.pass(40),
} as const
type Step = keyof typeof STEPS

/** How the provider's callbacks come: in any order, several times, some not at all. */
const policies = fc.record({
  order: fc.constantFrom('kept', 'reversed', 'shuffled'),
  duplicates: fc.nat(2),
  drop: fc.subarray(['invoice.paid', 'customer.subscription.updated', 'checkout.session.completed']),
})

const stories = fc.tuple(
  fc.constantFrom('opens a checkout for starter', 'opens a checkout for pro') as fc.Arbitrary<Step>,
  fc.constantFrom('pays', 'pays with a bad card') as fc.Arbitrary<Step>,
  fc.array(fc.constantFrom(...(Object.keys(STEPS) as Step[])), { minLength: 3, maxLength: 9 }),
)

test('in whatever order callbacks come, and however often, the hub ends where the provider is, and releases nothing unpaid', {
  rules: ['D11-27', 'STC-04', 'SUB-10'],
}, async (t) => {
  const scene = await startScene(t)
  await scene.control('PUT', '/payments/settings', { after_retries: 'unpaid' })

  await fc.assert(
    fc.asyncProperty(stories, policies, fc.integer(), async ([first, second, rest], policy, seed) => {
      const owner = await scene.hub.organization()
      await scene.control('PUT', '/payments/webhooks/policy', policy)
      for (const step of [first, second, ...rest]) {
        await STEPS[step](scene, owner)
        await assertPaidFor(scene, owner)
        await scene.callBack()
        await assertPaidFor(scene, owner)
      }
      await tellAgain(scene, owner, seed)

      const { plan, status, addons } = await standing(owner)
      assert.deepEqual({ plan, status, addons }, await truth(scene, owner))
    }),
    { numRuns: 8 },
  )
})

/** Whoever has a plan changes it, as far as that is allowed; whoever has none only opens a checkout. */
async function change(scene: Scene, owner: Owner, plan: string): Promise<void> {
  const { body } = await checkout(owner, plan)
  const url = new URL(body.data?.checkout_url ?? 'http://nowhere/')
  if (url.pathname.startsWith('/billing/plan/')) await changePlan(scene.hub, url.pathname)
}

async function payOpen(scene: Scene, owner: Owner, card: string): Promise<void> {
  const open = (await scene.own(owner, 'checkout_sessions')).find(({ status }) => status === 'open')
  if (open) await scene.pay(open.url, card)
}

async function behave(scene: Scene, owner: Owner, behaviour: 'succeeds' | 'declines'): Promise<void> {
  if ((await scene.own(owner, 'payment_methods')).length > 0) await scene.setCard(owner, behaviour)
}

async function payInvoices(scene: Scene, owner: Owner): Promise<void> {
  const open = (await scene.own(owner, 'invoices')).filter(({ status }) => status === 'open')
  for (const { id } of open) await scene.control('POST', `/payments/invoices/${id}/pay`, { card: VISA })
}

async function actInPortal(scene: Scene, owner: Owner, action: string): Promise<void> {
  const customer = await scene.customerOf(owner)
  const live = (await scene.own(owner, 'subscriptions')).filter(({ status }) => status !== 'canceled')
  const fits = live.filter(({ cancel_at }) => (action === 'cancel') === (cancel_at === null))
  if (fits.length > 0) await scene.control('POST', `/payments/customers/${customer}/portal`, { action })
}

/** Every event of the organization once more, in another order; then the callbacks that were lost are made good. */
async function tellAgain(scene: Scene, owner: Owner, seed: number): Promise<void> {
  const customer = await scene.customerOf(owner)
  await scene.control('PUT', '/payments/webhooks/policy', { order: 'kept', duplicates: 0, drop: [] })
  const events = (await scene.objects('events')).filter(({ data }) => data.object.customer === customer)
  const [shuffled = []] = fc.sample(fc.shuffledSubarray(events, { minLength: events.length }), { seed, numRuns: 1 })
  for (const { id } of shuffled.slice(-8)) await scene.control('POST', `/payments/events/${id}/redeliver`)
  await scene.hub.clock.advance('1 day')
  await scene.hub.context.sync.reconcile()
}

/** Nothing is released that no paid invoice of the provider's is behind. */
async function assertPaidFor(scene: Scene, owner: Owner): Promise<void> {
  const { plan, addons, channels } = await standing(owner)
  if (plan === 'free') return assert.equal(channels, PLANS.free.channels)
  const paid = (await scene.own(owner, 'invoices')).filter(({ status }) => status === 'paid')
  const lines = paid.flatMap(({ lines: { data } }) => data).filter(({ amount }) => amount >= 0)
  const pricesOf = new Map((await scene.objects('prices')).map(({ id, lookup_key }) => [id, lookup_key]))
  const bought = lines.map(({ pricing, quantity }) => ({ key: pricesOf.get(pricing.price_details.price), quantity }))
  assert.ok(
    bought.some(({ key }) => key === PRICE_KEYS[plan as 'starter']),
    `${plan} was released and never paid for`,
  )
  const most = Math.max(0, ...bought.flatMap(({ key, quantity }) => (key === PRICE_KEYS.connection ? [quantity] : [])))
  assert.ok(addons <= most, `${addons} connections were released and ${most} paid for`)
}

/** What the provider has, read from its own objects and by nothing that the hub is made of. */
async function truth(scene: Scene, owner: Owner) {
  const [subscriptions, sessions, invoices] = await Promise.all([
    scene.own(owner, 'subscriptions'),
    scene.own(owner, 'checkout_sessions'),
    scene.own(owner, 'invoices'),
  ])
  const isPaid = invoices.some(({ status }) => status === 'paid')
  const live = subscriptions.find(({ status }) => !['canceled', 'incomplete', 'incomplete_expired'].includes(status))
  if (!live) {
    const isOpen = sessions.some(({ status }) => status === 'open')
    return { plan: 'free', status: isOpen ? 'pending_payment' : isPaid ? 'canceled' : 'none', addons: 0 }
  }
  const quantityOf = (key: string) =>
    live.items.data.find(({ price }: { price: { lookup_key: string } }) => price.lookup_key === key)?.quantity ?? 0
  const status = { active: 'active', past_due: 'past_due', unpaid: 'suspended' }[live.status as string]
  return {
    plan: quantityOf(PRICE_KEYS.pro) > 0 ? 'pro' : 'starter',
    status,
    addons: quantityOf(PRICE_KEYS.connection),
  }
}
