import type { JsonObject } from '../json.ts'
import type { DeliveryRecord } from '../payments/deliveries.ts'
import { CORRUPTIONS } from '../payments/signature.ts'
import type { ControlParts, ControlRoute } from './context.ts'
import { ControlError, found } from './reader.ts'

const WAIT_MAX_MS = 60_000

export const PAYMENT_WEBHOOK_ROUTES: readonly ControlRoute[] = [
  {
    method: 'PUT',
    path: '/payments/callback',
    run({ payments: { deliveries } }, { body }) {
      deliveries.callBack(body.required('url'), body.list('enabled_events')?.map(String))
      return { url: deliveries.callback.url, enabled_events: deliveries.callback.enabledEvents }
    },
  },
  {
    method: 'GET',
    path: '/payments/webhooks',
    run: (parts, { query }) => ({ webhooks: matching(parts, query) }),
  },
  {
    method: 'PUT',
    path: '/payments/webhooks/policy',
    run({ payments: { deliveries } }, { body }) {
      const { policy } = deliveries
      policy.duplicates = body.number('duplicates') ?? policy.duplicates
      policy.delayMs = body.number('delay_ms') ?? policy.delayMs
      policy.order = body.oneOf('order', ['kept', 'reversed', 'shuffled'], policy.order)
      policy.drop = body.list('drop')?.map(String) ?? policy.drop
      policy.corrupt = body.oneOf('corrupt', CORRUPTIONS, policy.corrupt)
      policy.retry = body.flag('retry') ?? policy.retry
      policy.signedAt = body.oneOf('signed_at', ['wall', 'clock'], policy.signedAt)
      const { delayMs: delay_ms, signedAt: signed_at, ...rest } = policy
      return { ...rest, delay_ms, signed_at }
    },
  },
  {
    method: 'POST',
    path: '/payments/events/:id/redeliver',
    async run({ payments: { deliveries, state } }, { ids }) {
      const event = found(state.events.get(ids[0] ?? ''), 'event')
      if (deliveries.callback.url === undefined) throw new ControlError(400, 'There is no callback to post it to')
      return view(await deliveries.redeliver(event))
    },
  },
  {
    method: 'GET',
    path: '/payments/wait',
    async run(parts, { query }) {
      const count = Number(query.get('count') ?? 1)
      const timeoutMs = Math.min(Number(query.get('timeout_ms') ?? 10_000), WAIT_MAX_MS)
      const look = () => {
        const items = matching(parts, query)
        return items.length >= count ? items : undefined
      }
      const items = await parts.signal.until(look, timeoutMs)
      return { found: items !== undefined, items: items ?? [] }
    },
  },
]

/** Posts after a given one, of a type, in a state, or about an object with that id. */
function matching({ payments }: ControlParts, query: URLSearchParams): JsonObject[] {
  const [after, type, state, text] = ['after', 'type', 'state', 'contains'].map((name) => query.get(name))
  const records = [...payments.deliveries.records.values()]
  return records
    .slice(after ? records.findIndex(({ id }) => id === after) + 1 : 0)
    .filter((record) => !type || record.type === type)
    .filter((record) => !state || record.state === state)
    .filter((record) => !text || record.body.includes(text))
    .map(view)
}

function view(record: DeliveryRecord): JsonObject {
  return { ...record, attempts: record.attempts.map((attempt) => ({ ...attempt })) }
}
