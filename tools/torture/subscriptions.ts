import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './client.ts'

/** One request of a tenant, with an Idempotency-Key where there is one. */
type Ask<Tenant> = (
  tenant: Tenant,
  kind: string,
  method: string,
  path: string,
  options?: { body?: object; key?: string },
) => Promise<Answer>
type Dependencies<Tenant> = { ask: Ask<Tenant>; pay: (checkoutUrl: string) => Promise<unknown> }

const PATH = '/subscription'
const PLANS = ['starter', 'pro'] as const
const ADDONS_MAX = 3
const TRIES = 3
const TRY_AGAIN_MS = 1500
const PAID_MS_MAX = 60_000
const POLL_MS = 200

/** Each tenant pays for a plan from the beginning, and changes it. */
export function createSubscriptions<Tenant extends { name: string }>({ ask, pay }: Dependencies<Tenant>) {
  /** Without an answer the same key is asked again, as an Idempotency-Key is meant to be used. */
  async function askWithKey(tenant: Tenant, kind: string, path: string, given: { body: object; key: string }) {
    for (let n = 1; ; n++) {
      const answer = await ask(tenant, kind, 'POST', `${PATH}${path}`, given)
      if ((answer.status !== 0 && answer.status < 500 && answer.status !== 409) || n === TRIES) return answer
      await delay(TRY_AGAIN_MS)
    }
  }

  const openCheckout = (tenant: Tenant, plan: string, key: string) =>
    askWithKey(tenant, 'open a checkout', '/checkout', { body: { plan }, key })

  /** The page on which a person confirms the change from one plan to another. */
  async function confirm(url: string): Promise<void> {
    const page = await fetch(url).then((answer) => answer.text())
    const [, date = ''] = /name="proration_date" value="([^"]+)"/.exec(page) ?? []
    if (date !== '') await fetch(url, { method: 'POST', body: new URLSearchParams({ proration_date: date }) })
  }

  return {
    async buy(tenant: Tenant): Promise<void> {
      const [plan] = PLANS
      const { body } = await openCheckout(tenant, plan, 'first plan')
      await pay(body?.data?.checkout_url ?? '')
      for (const deadline = Date.now() + PAID_MS_MAX; ; await delay(POLL_MS)) {
        const { body: shown } = await ask(tenant, 'show a subscription', 'GET', PATH)
        if (shown?.data?.subscription?.plan === plan) return
        if (Date.now() > deadline) throw new Error(`${tenant.name} has paid and has no plan: ${JSON.stringify(body)}`)
      }
    },

    async change(tenant: Tenant, { n, pick, again }: { n: number; pick: number; again: number }): Promise<void> {
      const key = `plan-${n}`
      if (pick < 0.6) {
        const body = { total: Math.floor(again * (ADDONS_MAX + 1)) }
        await askWithKey(tenant, 'set additional connections', '/addons', { body, key })
        return
      }
      const plan = PLANS[Math.floor(again * PLANS.length)] ?? PLANS[0]
      const { body } = await openCheckout(tenant, plan, key)
      const url: string | undefined = body?.data?.checkout_url
      // A person whose page does not load gives up: the answer of the confirmation is not needed.
      if (url?.includes('/billing/plan/')) await confirm(url).catch(() => undefined)
    },
  }
}
