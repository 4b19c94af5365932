import { invalid } from '../http/errors.ts'
import { boolean, choice, emptyable, integer, metadata, natural, object, optional, text } from '../http/params.ts'

/** The parameters that subscriptions, their items and previews share. */
export const ITEM = object({
  id: optional(text),
  price: optional(text),
  quantity: optional(natural),
  deleted: optional(boolean),
  metadata: optional(emptyable(metadata)),
})

export const PRORATION = {
  proration_behavior: optional(choice('create_prorations', 'always_invoice', 'none')),
  proration_date: optional(integer),
}

export const PAYMENT_BEHAVIOR = {
  payment_behavior: optional(
    choice('allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'),
  ),
}

/** An update that may have to wait for its payment cannot carry just anything. */
export function checkPendable(behavior: string | undefined, unsupported: Record<string, boolean>): void {
  if (behavior !== 'pending_if_incomplete') return
  const param = Object.keys(unsupported).find((name) => unsupported[name])
  if (param === undefined) return
  const page = 'https://stripe.com/docs/billing/subscriptions/pending-updates-reference#supported-attributes'
  const sentence = `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you can only pass supported params. \`${param}\` is not supported.`
  throw invalid(`${sentence} See ${page} for more details.`, { param })
}
