import { lineItemsOfSession } from '../checkout/line-items.ts'
import type { Payments } from '../context.ts'
import { listObject } from '../objects/list.ts'
import { malformed } from './errors.ts'

type Wire = Record<string, unknown>
type Resolve = (payments: Payments, value: unknown, owner: Wire) => unknown

const DEPTH_MAX = 4

const customer: Resolve = ({ state }, id) => state.customers.get(String(id))
const invoice: Resolve = ({ state }, id) => state.invoices.get(String(id))
const subscription: Resolve = ({ state }, id) => state.subscriptions.get(String(id))
const paymentMethod: Resolve = ({ state }, id) => state.paymentMethods.get(String(id))
const product: Resolve = ({ state }, id) => state.products.get(String(id))
const price: Resolve = ({ state }, id) => state.prices.get(String(id))

/**
 * What may be shown whole instead of as an id, by the kind of object and the
 * path inside it; and the lists that are left out unless they are asked for.
 */
const EXPANSIONS: Readonly<Record<string, Readonly<Record<string, Resolve>>>> = {
  'billing_portal.session': { configuration: ({ state }, id) => state.portalConfigurations.get(String(id)) },
  'checkout.session': {
    customer,
    invoice,
    subscription,
    line_items: (payments, _value, { id }) => {
      return listObject(lineItemsOfSession(payments, String(id)), `/v1/checkout/sessions/${id}/line_items`)
    },
  },
  customer: {
    'invoice_settings.default_payment_method': paymentMethod,
    subscriptions: ({ state }, _value, { id }) => {
      const own = [...state.subscriptions.values()].filter((one) => one.customer === id && one.status !== 'canceled')
      return listObject(own.reverse(), `/v1/customers/${id}/subscriptions`)
    },
  },
  invoice: {
    customer,
    default_payment_method: paymentMethod,
    'parent.subscription_details.subscription': subscription,
    confirmation_secret: ({ state }, _value, { id }) => {
      const payment = [...state.invoicePayments.values()].find((one) => one.invoice === id)
      const intent = state.paymentIntents.get(payment?.payment.payment_intent ?? '')
      return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
    },
    payments: ({ state }, _value, { id }) => {
      const own = [...state.invoicePayments.values()].filter((one) => one.invoice === id)
      return listObject(own.reverse(), `/v1/invoice_payments?invoice=${id}`)
    },
  },
  invoice_payment: {
    invoice,
    'payment.payment_intent': ({ state }, id) => state.paymentIntents.get(String(id)),
  },
  line_item: { subscription, 'pricing.price_details.price': price },
  payment_intent: { customer, payment_method: paymentMethod },
  payment_method: { customer },
  plan: { product },
  price: { product },
  product: { default_price: price },
  subscription: { customer, default_payment_method: paymentMethod, latest_invoice: invoice },
}

/** A copy of the object with the wanted parts shown whole. */
export function expanded(payments: Payments, object: object, paths: string[]): Wire {
  const copy = structuredClone(object) as Wire
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > DEPTH_MAX) throw refusal(`You cannot expand more than ${DEPTH_MAX} levels of a property`, path)
    walk(payments, copy, steps, path)
  }
  return copy
}

function walk(payments: Payments, at: Wire, steps: string[], path: string): void {
  const [first, ...rest] = steps
  if (first === undefined) return
  if (at.object === 'list' && first === 'data') {
    for (const item of at.data as Wire[]) walk(payments, item, rest, path)
    return
  }
  const table = EXPANSIONS[String(at.object)] ?? {}
  for (let count = 1; count <= steps.length; count++) {
    const key = steps.slice(0, count).join('.')
    const resolve = table[key]
    if (resolve === undefined) continue
    const inner = grown(payments, at, steps.slice(0, count), resolve)
    if (inner) walk(payments, inner, steps.slice(count), path)
    return
  }
  const member = at[first]
  if (!isWire(member) || member.object === undefined) throw refusal('This property cannot be expanded', path)
  walk(payments, member, rest, path)
}

/** Puts the whole object where its id was, and returns it; what is null stays null. */
function grown(payments: Payments, owner: Wire, steps: string[], resolve: Resolve): Wire | undefined {
  const holder = steps.slice(0, -1).reduce<unknown>((at, step) => (isWire(at) ? at[step] : undefined), owner)
  const name = steps.at(-1) ?? ''
  if (!isWire(holder)) return undefined
  const value = holder[name]
  // Another path may have shown it already.
  if (isWire(value)) return value
  if (value === null) return undefined
  const whole = resolve(payments, value, owner)
  if (whole === undefined) return undefined
  holder[name] = structuredClone(whole)
  return isWire(holder[name]) ? holder[name] : undefined
}

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refusal(sentence: string, path: string) {
  return malformed(`${sentence} (${path}).`, 'expand')
}
