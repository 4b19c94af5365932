import { isDeepStrictEqual } from 'node:util'
import type { Deliveries } from './deliveries.ts'
import type { NewId } from './ids.ts'
import { API_VERSION, type EventType, type PaymentEvent } from './objects/event.ts'
import type { PaymentState } from './state.ts'

interface Parts {
  state: PaymentState
  deliveries: Deliveries
  newId: NewId
  now: () => number
}

type Cause = PaymentEvent['request']

const NO_REQUEST: Cause = { id: null, idempotency_key: null }

export type Events = ReturnType<typeof createEvents>

/** Writes down what happens, each with a picture of the object at that moment, and hands it to the deliveries. */
export function createEvents({ state, deliveries, newId, now }: Parts) {
  let cause = NO_REQUEST

  function emit(type: EventType, object: object, previous?: Record<string, unknown>): void {
    const data = { object: structuredClone(object), ...(previous ? { previous_attributes: previous } : {}) }
    const event: PaymentEvent = {
      id: newId('event'),
      object: 'event',
      api_version: API_VERSION,
      created: now(),
      data,
      livemode: false,
      pending_webhooks: 0,
      request: cause,
      type,
    }
    state.events.set(event.id, event)
    deliveries.post(event)
  }

  return {
    emit,

    /** Changes an object and reports which of its members changed; when none did, nothing is reported. */
    change<T extends object>(type: EventType, object: T, change: () => void): void {
      const before = structuredClone(object)
      change()
      const changed = (Object.keys(object) as (keyof T)[]).filter(
        (name) => !isDeepStrictEqual(before[name], object[name]),
      )
      if (changed.length === 0) return
      emit(type, object, Object.fromEntries(changed.map((name) => [name, before[name]])))
    },

    /** Events name the request that caused them; those of the clock name none. */
    during<T>(request: Cause, work: () => T): T {
      cause = request
      try {
        return work()
      } finally {
        cause = NO_REQUEST
      }
    },
  }
}
