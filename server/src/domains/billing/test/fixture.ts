import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import type { TestHub } from '../../../../test/hub.ts'
import { createChannel, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import type { PaidPlan } from '../plans/plans.ts'
import { PAYMENT_CALLBACK_PATH } from '../sync/callbacks/routes.ts'

export const VISA = '4242424242424242'
export const DECLINED = '4000000000000002'
/** Pays the first invoice and declines every later one. */
export const FAILS_ON_RENEWAL = '4000000000000341'

export const RECEIVER = { name: 'CRM', url: 'https://93.184.216.34/in' }

export type Owner = Client & { organizationId: string }
type Options = NonNullable<Parameters<typeof startHubWithUpstream>[1]>

// biome-ignore lint/suspicious/noExplicitAny: the provider's objects are what a test asserts
type Objects = any[]

export type Fixture = Awaited<ReturnType<typeof startBilling>>

/** A hub with its own simulated payment provider. */
export async function startBilling(t: TestContext, options: Options = {}) {
  const connected = await startHubWithUpstream(t, { isCalledBack: false, ...options })
  const { hub, up } = connected
  const { control } = up.simulator
  await control('PUT', '/payments/callback', { url: hub.url + PAYMENT_CALLBACK_PATH })
  // An earlier test of the file may have advanced the hub's clock; the provider's clock must not be behind it.
  const { now } = await control<{ now: string }>('GET', '/payments/clock')
  await control('POST', '/payments/clock', { advance_ms: Math.max(0, hub.clock.now().getTime() - Date.parse(now)) })

  async function listObjects(kind: string): Promise<Objects> {
    return (await control<Record<string, Objects>>('GET', `/payments/objects/${kind}`))[kind] ?? []
  }

  async function findCustomerId({ organizationId }: Owner): Promise<string> {
    const [row] = await hub.sql<{ customer_id: string }[]>`
      select customer_id from subscriptions where organization_id = ${organizationId}`
    return row?.customer_id ?? ''
  }

  /** The provider's objects of one organization, oldest first. */
  async function listOwned(owner: Owner, kind: string): Promise<Objects> {
    const customer = await findCustomerId(owner)
    return (await listObjects(kind)).filter((object) => object.customer === customer)
  }

  async function payCheckout(checkoutUrl: string, card = VISA) {
    const session = (await listObjects('checkout_sessions')).find(({ url }) => url === checkoutUrl)
    return control<{ status: string; error?: object }>('POST', `/payments/checkout/${session.id}`, { card })
  }

  async function buyPlan(owner: Owner, plan: PaidPlan, card = VISA): Promise<void> {
    const opened = await requestCheckout(owner, plan)
    assert.equal(opened.status, 201, opened.text)
    assert.equal((await payCheckout(opened.body.data.checkout_url, card)).status, 'complete')
  }

  /** An organization that has paid for a plan. */
  async function createSubscriber(plan: PaidPlan = 'starter', card = VISA) {
    const owner = await hub.organization()
    await buyPlan(owner, plan, card)
    return owner
  }

  async function setCard(owner: Owner, behavior: 'succeeds' | 'declines' | 'requires_action'): Promise<void> {
    await control('PUT', `/payments/customers/${await findCustomerId(owner)}/card`, { behavior })
  }

  /** Advances the clocks of the hub and of the provider, which then sends its callbacks. */
  async function advanceDays(days: number): Promise<void> {
    await hub.clock.advance(`${days} days`)
    await control('POST', '/payments/clock', { advance_days: days })
  }

  /** Sends the callbacks that are due: the simulator sends them only when its clock is advanced. */
  const sendCallbacks = () => control('POST', '/payments/clock', { advance_ms: 0 })

  async function createChannels(owner: Owner, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let created = 0; created < count; created++) ids.push((await createChannel(owner)).id)
    return ids
  }

  return {
    ...connected,
    control,
    listObjects,
    listOwned,
    findCustomerId,
    payCheckout,
    buyPlan,
    createSubscriber,
    setCard,
    advanceDays,
    sendCallbacks,
    createChannels,
  }
}

/** The invoices of an organization at the provider, oldest first. */
export async function listInvoices(fixture: Fixture, owner: Owner) {
  return (await fixture.listOwned(owner, 'invoices')).map(({ status, total, amount_due, billing_reason }) => ({
    status,
    total,
    amount_due,
    billing_reason,
  }))
}

export function newKey(): string {
  return `key-${randomBytes(8).toString('hex')}`
}

export function withKey(key = newKey()) {
  return { headers: { 'idempotency-key': key } }
}

export async function requestCheckout(owner: Client, plan: string, key?: string): Promise<Answer> {
  return owner.post('/api/v1/subscription/checkout', { plan }, withKey(key))
}

/** The path of the page that changes to the other plan. */
export async function requestPlanPath(owner: Client, plan: string): Promise<string> {
  const opened = await requestCheckout(owner, plan)
  assert.equal(opened.status, 201, opened.text)
  return new URL(opened.body.data.checkout_url).pathname
}

/** Submits the form of a plan page, with the proration date that the page shows. */
export function submitPlanForm({ anonymous }: TestHub, path: string, page: Answer): Promise<Answer> {
  const [, date = ''] = /name="proration_date" value="([^"]+)"/.exec(page.text) ?? []
  const raw = new URLSearchParams({ proration_date: date }).toString()
  return anonymous.send('POST', path, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
}

/** Opens the plan page and submits its form. */
export async function changePlan(hub: TestHub, path: string): Promise<Answer> {
  return submitPlanForm(hub, path, await hub.anonymous.get(path))
}

export async function setAddons(owner: Client, body: object, key?: string): Promise<Answer> {
  return owner.post('/api/v1/subscription/addons', body, withKey(key))
}

export async function previewAddons(owner: Client, total: number): Promise<Answer> {
  return owner.post('/api/v1/subscription/addons/preview', { total })
}

/** The subscription and its limits, as the API shows them. */
export async function readEntitlement(owner: Client) {
  const { subscription, quotas } = (await owner.get('/api/v1/subscription')).body.data
  const { plan, status, addons } = subscription
  return { plan, status, addons, channels: quotas.channels.limit, endpoints: quotas.webhook_endpoints.limit }
}

export const FREE = { plan: 'free', addons: 0, channels: 2, endpoints: 5 }
export const STARTER = { plan: 'starter', status: 'active', addons: 0, channels: 5, endpoints: 20 }
export const PRO = { plan: 'pro', status: 'active', addons: 0, channels: 20, endpoints: 100 }
