import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import Stripe from 'stripe'
import { createSimulator, type SimulatorOptions } from '../../server.ts'
import { startReceiver } from '../../test/receiver.ts'

/** A period of thirty days starts here, so its fractions are easy to compute. */
export const START = new Date('2026-11-15T12:00:00Z')
export const DAY = 86_400
export const HOUR = 3_600

export const CARDS = {
  visa: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  declinedLater: '4000 0000 0000 0341',
  authenticatedLater: '4000 0027 6000 3184',
}

export const CHARGED_NOW = {
  proration_behavior: 'always_invoice' as const,
  payment_behavior: 'pending_if_incomplete' as const,
  expand: ['latest_invoice'],
}

interface Objects {
  customers: Stripe.Customer
  prices: Stripe.Price
  checkout_sessions: Stripe.Checkout.Session
  subscriptions: Stripe.Subscription
  invoices: Stripe.Invoice
  payment_methods: Stripe.PaymentMethod
  events: Stripe.Event
}

export type Fixture = Awaited<ReturnType<typeof startPayments>>

/** A simulator on a manual clock, Stripe's SDK as its client, and a receiver of its webhooks. */
export async function startPayments(t: TestContext, options: SimulatorOptions = {}) {
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

  async function list<K extends keyof Objects>(kind: K): Promise<Objects[K][]> {
    return (await control<Record<K, Objects[K][]>>('GET', `/payments/objects/${kind}`))[kind]
  }

  return {
    simulator,
    receiver,
    control,
    stripe: createStripeClient(simulator.payments),
    list,
    async find<K extends keyof Objects>(kind: K, id: string | null | undefined): Promise<Objects[K]> {
      const object = (await list(kind)).find((candidate) => candidate.id === id)
      assert.ok(object, `There is no ${id} in ${kind}`)
      return object
    },
    now: async () => Date.parse((await control<{ now: string }>('GET', '/payments/clock')).now) / 1_000,
    advance: (seconds: number) => control('POST', '/payments/clock', { advance_seconds: seconds }),
    pay: (session: string, card = CARDS.visa) =>
      control<{ status: string; subscription: string; error?: { code: string; decline_code: string } }>(
        'POST',
        `/payments/checkout/${session}`,
        { card },
      ),
    setCard: (customer: string, behavior: 'succeeds' | 'declines' | 'requires_action') =>
      control('PUT', `/payments/customers/${customer}/card`, { behavior }),
    /** The types of the received webhooks in order of arrival. */
    received: () => receiver.posts.map(({ raw }) => (JSON.parse(raw.toString()) as Stripe.Event).type),
  }
}

export function createStripeClient({ url, secretKey }: { url: string; secretKey: string }): Stripe {
  const { hostname, port } = new URL(url)
  const address = { host: hostname, port: Number(port), protocol: 'http' as const }
  return new Stripe(secretKey, { ...address, maxNetworkRetries: 0, telemetry: false })
}

/** Two plans and an add-on, in reais. */
export async function createPrices({ stripe }: Pick<Fixture, 'stripe'>) {
  const create = async (name: string, amount: number) => {
    const { id: product } = await stripe.products.create({ name })
    const { id } = await stripe.prices.create({
      product,
      currency: 'brl',
      unit_amount: amount,
      recurring: { interval: 'month' },
      lookup_key: name.toLowerCase(),
    })
    return id
  }
  return {
    starter: await create('Starter', 9_900),
    pro: await create('Pro', 29_900),
    addon: await create('Addon', 1_990),
  }
}

export function createCheckout({ stripe }: Pick<Fixture, 'stripe'>, price: string, customer: string) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://localhost:8080/done',
    cancel_url: 'http://localhost:8080/plans',
  })
}

/** A customer who has bought a plan at the checkout. */
export async function subscribe(fixture: Pick<Fixture, 'stripe' | 'pay'>, price: string, card = CARDS.visa) {
  const customer = await fixture.stripe.customers.create({ email: 'maria@example.com', name: 'Maria' })
  const session = await createCheckout(fixture, price, customer.id)
  const { subscription } = await fixture.pay(session.id, card)
  return { customer: customer.id, session: session.id, subscription }
}

/** The id of the subscription's item with that price. */
export function findItem(subscription: Stripe.Subscription, price: string): string {
  const item = subscription.items.data.find((candidate) => candidate.price.id === price)
  assert.ok(item, `The subscription has no item of ${price}`)
  return item.id
}

export function latestInvoice({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice {
  assert.ok(invoice && typeof invoice === 'object', 'The latest invoice was not expanded')
  return invoice
}

/** The error of a refused call. */
export async function refusal(call: Promise<unknown>) {
  try {
    await call
  } catch (err) {
    assert.ok(err instanceof Stripe.errors.StripeError, String(err))
    return err
  }
  throw new assert.AssertionError({ message: 'The call was not refused' })
}
