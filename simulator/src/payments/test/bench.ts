import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import Stripe from 'stripe'
import { createSimulator, type SimulatorOptions } from '../../server.ts'
import { startReceiver } from '../../test/receiver.ts'

/** A month of thirty days begins here, so that fractions of it can be reckoned by hand. */
export const START = new Date('2026-11-15T12:00:00Z')
export const DAY = 86_400

export const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  laterDeclined: '4000 0000 0000 0341',
  laterActs: '4000 0027 6000 3184',
}

export type Bench = Awaited<ReturnType<typeof startBench>>

/** A simulator on a manual clock, the provider's own SDK before it, and a receiver for its webhooks behind it. */
export async function startBench(t: TestContext, options: SimulatorOptions = {}) {
  const receiver = await startReceiver('unused')
  const { payments, ...rest } = options
  const simulator = createSimulator({
    seed: 'test',
    clock: 'manual',
    now: START,
    payments: { callbackUrl: receiver.url, ...payments },
    ...rest,
  })
  await simulator.listen()
  t.after(async () => {
    await simulator.close()
    await receiver.close()
  })
  const { control } = simulator
  const stripe = clientOf(simulator.payments)

  return {
    simulator,
    receiver,
    control,
    stripe,
    now: async () => Date.parse((await control<{ now: string }>('GET', '/payments/clock')).now) / 1_000,
    advance: (seconds: number) => control('POST', '/payments/clock', { advance_seconds: seconds }),
    pay: (session: string, card = CARDS.good) =>
      control<{ status: string; subscription: string; error?: { code: string; decline_code: string } }>(
        'POST',
        `/payments/checkout/${session}`,
        { card },
      ),
    bank: (customer: string, behaviour: 'succeeds' | 'declines' | 'requires_action') =>
      control('PUT', `/payments/customers/${customer}/card`, { behaviour }),
    /** The types of the webhooks that arrived, in order of arrival. */
    arrived: () => receiver.posts.map(({ raw }) => (JSON.parse(raw.toString()) as Stripe.Event).type),
  }
}

export function clientOf({ url, secretKey }: { url: string; secretKey: string }): Stripe {
  const { hostname, port } = new URL(url)
  const address = { host: hostname, port: Number(port), protocol: 'http' as const }
  return new Stripe(secretKey, { ...address, maxNetworkRetries: 0, telemetry: false })
}

/** Two plans and an add-on, in reais. */
export async function openShop({ stripe }: Bench) {
  const price = async (name: string, amount: number) =>
    stripe.prices.create({
      ...{ currency: 'brl', unit_amount: amount, recurring: { interval: 'month' } },
      ...{ product_data: { name }, lookup_key: name.toLowerCase() },
    })
  const [starter, pro, addon] = [await price('Starter', 9_900), await price('Pro', 29_900), await price('Addon', 1_990)]
  return { starter: starter.id, pro: pro.id, addon: addon.id }
}

/** A customer who has bought a plan at the checkout. */
export async function subscribe(bench: Bench, price: string, card = CARDS.good) {
  const { stripe } = bench
  const customer = await stripe.customers.create({ email: 'maria@example.com', name: 'Maria' })
  const session = await checkout(bench, price, customer.id)
  const { subscription } = await bench.pay(session.id, card)
  return { customer: customer.id, session: session.id, subscription }
}

export function checkout({ stripe }: Bench, price: string, customer: string) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://localhost:8080/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:8080/plans',
  })
}

/** The first item of a subscription that has that price. */
export function itemOf(subscription: Stripe.Subscription, price: string): string {
  const item = subscription.items.data.find((candidate) => candidate.price.id === price)
  assert.ok(item, `The subscription has no item of ${price}`)
  return item.id
}

export function invoiceOf({ latest_invoice }: Stripe.Subscription): Stripe.Invoice {
  assert.ok(latest_invoice && typeof latest_invoice === 'object', 'The latest invoice was not expanded')
  return latest_invoice
}

/** What a refused call was refused with. */
export async function refusalOf(call: Promise<unknown>) {
  try {
    await call
  } catch (err) {
    assert.ok(err instanceof Stripe.errors.StripeError, String(err))
    return err
  }
  throw new assert.AssertionError({ message: 'The call was not refused' })
}
