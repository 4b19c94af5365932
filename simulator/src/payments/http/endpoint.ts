import type { JsonObject } from '../../json.ts'
import type { Payments } from '../context.ts'
import type { CheckoutSession, List } from '../objects.ts'
import { invalidParam, missingObject } from './errors.ts'
import { natural, optional, type Read } from './params.ts'

const LIMIT_DEFAULT = 10
const LIMIT_MAX = 100

export const PAGING = { limit: optional(natural) }

export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE'
  /** Has at most one segment `:id`. */
  path: string
  /** Reads the parameters, which may refuse them, and returns the work. */
  prepare(form: JsonObject, id: string): (payments: Payments) => object
}

export function defineEndpoint<P>(
  method: Endpoint['method'],
  path: string,
  readParams: Read<P>,
  run: (payments: Payments, params: P, id: string) => object,
): Endpoint {
  return {
    method,
    path,
    prepare(form, id) {
      const params = readParams(form, '')
      return (payments) => run(payments, params, id)
    },
  }
}

/** The object with that id. `param` names the parameter that gave the id; without it the path did. */
export function requireObject<T>(map: ReadonlyMap<string, T>, id: string, kind: string, param?: string): T {
  const object = map.get(id)
  if (object === undefined) throw missingObject(kind, id, param)
  return object
}

/** The objects of a map that match, newest first: the first page, or the one after the object `startingAfter`. */
export function listObjects<T>(
  map: ReadonlyMap<string, T>,
  { url, limit = LIMIT_DEFAULT, startingAfter }: { url: string; limit: number | undefined; startingAfter?: T },
  matches: (object: T) => boolean,
): List<T> {
  if (limit < 1 || limit > LIMIT_MAX) throw invalidParam(`Invalid limit: must be from 1 to ${LIMIT_MAX}`, 'limit')
  const all = [...map.values()].reverse()
  const found = all.slice(startingAfter === undefined ? 0 : all.indexOf(startingAfter) + 1).filter(matches)
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url }
}

/** Replaces the ids at the paths by the objects: `latest_invoice` of subscriptions, and `line_items` of a checkout. */
export function expandObject(payments: Payments, object: object, paths: string[]): object {
  const { state } = payments
  const copy = structuredClone(object) as { object?: string; data?: unknown[]; latest_invoice?: unknown }
  if (copy.object === 'checkout.session' && paths.join() === 'line_items') {
    return { ...copy, line_items: listLineItems(payments, copy as CheckoutSession) }
  }
  for (const path of paths) {
    const [owners, name] = path.startsWith('data.') ? [copy.data ?? [], path.slice(5)] : [[copy], path]
    const subscriptions = owners.filter((owner) => (owner as typeof copy).object === 'subscription') as (typeof copy)[]
    if (name !== 'latest_invoice' || subscriptions.length < owners.length) {
      throw invalidParam(`This property cannot be expanded (${path}).`, 'expand')
    }
    for (const subscription of subscriptions) {
      subscription.latest_invoice = structuredClone(state.invoices.get(String(subscription.latest_invoice)) ?? null)
    }
  }
  return copy
}

function listLineItems({ state }: Payments, { id }: CheckoutSession): List<object> {
  const data = (state.orders.get(id)?.items ?? []).map((item) => ({ object: 'item', ...structuredClone(item) }))
  return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` }
}
