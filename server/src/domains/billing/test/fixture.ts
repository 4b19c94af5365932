import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { createChannel, startWorld } from '../../../../test/connecting.ts'
import type { TestHub } from '../../../../test/hub.ts'
import type { PaidPlan } from '../plans/plans.ts'

export const VISA = '4242424242424242'
export const DECLINED = '4000000000000002'
/** Pays the first time, and never again. */
export const DRIES_UP = '4000000000000341'

export const RECEIVER = { name: 'CRM', url: 'https://93.184.216.34/in' }

type Owner = Client & { organizationId: string }
type Options = NonNullable<Parameters<typeof startWorld>[1]>

// biome-ignore lint/suspicious/noExplicitAny: the provider's objects are what a test asserts
type Objects = any[]

export type Scene = Awaited<ReturnType<typeof startScene>>

/** A hub with a payment provider of its own, and the verbs by which an organization comes to a plan. */
export async function startScene(t: TestContext, options: Options = {}) {
  const world = await startWorld(t, { isCalledBack: false, ...options })
  const { hub, up } = world
  const { control } = up.simulator
  await control('PUT', '/payments/callback', { url: `${hub.url}/hooks/billing` })
  // Earlier tests of a file may have moved the hub's time; the provider's begins where that is.
  const { now } = await control<{ now: string }>('GET', '/payments/clock')
  await control('POST', '/payments/clock', { advance_ms: Math.max(0, hub.clock.now().getTime() - Date.parse(now)) })

  async function objects(kind: string): Promise<Objects> {
    return (await control<Record<string, Objects>>('GET', `/payments/objects/${kind}`))[kind] ?? []
  }

  async function customerOf({ organizationId }: Owner): Promise<string> {
    const [row] = await hub.sql<{ customer_id: string }[]>`
      select customer_id from subscriptions where organization_id = ${organizationId}`
    return row?.customer_id ?? ''
  }

  /** What the provider keeps for one organization, oldest first. */
  async function own(owner: Owner, kind: string): Promise<Objects> {
    const customer = await customerOf(owner)
    return (await objects(kind)).filter((object) => object.customer === customer)
  }

  /** Pays at a checkout, or tries to. */
  async function pay(checkoutUrl: string, card = VISA) {
    const session = (await objects('checkout_sessions')).find(({ url }) => url === checkoutUrl)
    return control<{ status: string; error?: object }>('POST', `/payments/checkout/${session.id}`, { card })
  }

  async function buy(owner: Owner, plan: PaidPlan, card = VISA): Promise<void> {
    const opened = await checkout(owner, plan)
    assert.equal(opened.status, 201, opened.text)
    assert.equal((await pay(opened.body.data.checkout_url, card)).status, 'complete')
  }

  /** An organization that has paid for a plan. */
  async function subscriber(plan: PaidPlan = 'starter', card = VISA) {
    const owner = await hub.organization()
    await buy(owner, plan, card)
    return owner
  }

  /** What the card says from now on. */
  async function setCard(owner: Owner, behaviour: 'succeeds' | 'declines' | 'requires_action'): Promise<void> {
    await control('PUT', `/payments/customers/${await customerOf(owner)}/card`, { behaviour })
  }

  /** Time passes for the hub and for the provider alike, and the provider tells what happens. */
  async function pass(days: number): Promise<void> {
    await hub.clock.advance(`${days} days`)
    await control('POST', '/payments/clock', { advance_days: days })
  }

  /** The provider posts what it has to tell: on a clock that stands still it waits to be asked. */
  const callBack = () => control('POST', '/payments/clock', { advance_ms: 0 })

  async function channels(owner: Owner, count: number): Promise<string[]> {
    const ids: string[] = []
    for (let made = 0; made < count; made++) ids.push((await createChannel(owner)).id)
    return ids
  }

  return {
    ...world,
    ...{ control, objects, own, customerOf, pay, buy, subscriber, setCard, pass, callBack, channels },
  }
}

/** What the provider has charged an organization for, oldest first. */
export async function invoicesOf(scene: Scene, owner: Owner) {
  return (await scene.own(owner, 'invoices')).map(({ status, total, amount_due, billing_reason }) => ({
    ...{ status, total, amount_due, billing_reason },
  }))
}

export function newKey(): string {
  return `key-${randomBytes(8).toString('hex')}`
}

export function withKey(key = newKey()) {
  return { headers: { 'idempotency-key': key } }
}

export async function checkout(owner: Client, plan: string, key?: string): Promise<Answer> {
  return owner.post('/api/v1/subscription/checkout', { plan }, withKey(key))
}

/** Looks at the page that changes the plan, and presses its button. */
export async function changePlan({ anonymous }: TestHub, path: string): Promise<Answer> {
  const [, date = ''] = /name="proration_date" value="([^"]+)"/.exec((await anonymous.get(path)).text) ?? []
  const raw = new URLSearchParams({ proration_date: date }).toString()
  return anonymous.send('POST', path, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
}

/** Where the page is that changes to the other plan. */
export async function planPath(owner: Client, plan: string): Promise<string> {
  return new URL((await checkout(owner, plan)).body.data.checkout_url).pathname
}

export async function setAddons(owner: Client, body: object, key?: string): Promise<Answer> {
  return owner.post('/api/v1/subscription/addons', body, withKey(key))
}

export async function preview(owner: Client, total: number): Promise<Answer> {
  return owner.post('/api/v1/subscription/addons/preview', { total })
}

/** The subscription as its owner sees it, without the usage. */
export async function standing(owner: Client) {
  const { subscription, quotas } = (await owner.get('/api/v1/subscription')).body.data
  const { plan, status, addons } = subscription
  return { plan, status, addons, channels: quotas.channels.limit, endpoints: quotas.webhook_endpoints.limit }
}

export const FREE = { plan: 'free', addons: 0, channels: 2, endpoints: 5 }
export const STARTER = { plan: 'starter', status: 'active', addons: 0, channels: 5, endpoints: 20 }
export const PRO = { plan: 'pro', status: 'active', addons: 0, channels: 20, endpoints: 100 }
