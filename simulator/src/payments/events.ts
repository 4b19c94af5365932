import { isDeepStrictEqual } from 'node:util'
import { API_VERSION, type EventType, type PaymentEvent } from './objects.ts'
import type { NewId, PaymentState } from './state.ts'
import type { PaymentWebhooks } from './webhooks.ts'

interface EventsOptions {
  state: PaymentState
  webhooks: PaymentWebhooks
  newId: NewId
  now: () => number
}

export type Events = ReturnType<typeof createEvents>

/** Records events, each with a snapshot of its object, and queues their webhooks. */
export function createEvents({ state, webhooks, newId, now }: EventsOptions) {
  function emit(type: EventType, object: object, previous?: Record<string, unknown>): void {
    const event: PaymentEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: now(),
      data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
      pending_webhooks: 0,
      type,
    }
    state.events.set(event.id, event)
    webhooks.send(event)
  }

  return {
    emit,

    /** Changes an object and emits the event with the previous values of the changed fields, if there are any. */
    change<T extends object>(type: EventType, object: T, change: () => void): void {
      const before = structuredClone(object)
      change()
      const changed = (Object.keys(object) as (keyof T)[]).filter(
        (name) => !isDeepStrictEqual(before[name], object[name]),
      )
      if (changed.length > 0) emit(type, object, Object.fromEntries(changed.map((name) => [name, before[name]])))
    },
  }
}
