import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { CREATED, PAGING, pageOf } from '../http/lists.ts'
import { boolean, list, object, optional, text } from '../http/params.ts'

const TYPES_MAX = 20

const FILTER = object({
  ...PAGING,
  ...CREATED,
  delivery_success: optional(boolean),
  type: optional(text),
  types: optional(list(text, TYPES_MAX)),
})

export const EVENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint('GET', '/v1/events', FILTER, ({ state }, { params }) => {
    if (params.type !== undefined && params.types !== undefined) {
      throw invalid('You may only specify one of these parameters: type, types.', { param: 'type' })
    }
    const patterns = params.types ?? (params.type === undefined ? undefined : [params.type])
    const isDelivered = params.delivery_success
    const events = [...state.events.values()]
      .filter(({ type }) => !patterns || patterns.some((pattern) => matches(type, pattern)))
      .filter(({ pending_webhooks: pending }) => isDelivered === undefined || (pending === 0) === isDelivered)
    return pageOf(events, params, { url: '/v1/events', kind: 'event' })
  }),
  endpoint('GET', '/v1/events/:id', object({}), ({ state }, { id }) => found(state.events, id, 'event')),
]

/** A type may end in a star. */
function matches(type: string, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}
