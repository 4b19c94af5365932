import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import type { DeliveryRequest } from '../attempts/delivery-request.ts'
import { type MediaUrls, rewriteMediaUrls } from '../attempts/media-urls.ts'
import { toPreviousSecretPlace, toSecretPlace } from '../endpoints/secret-place.ts'
import type { EventPayload, PayloadCache } from '../publishing/payload-cache.ts'
import type { ClaimedDelivery } from './delivery.ts'
import { type Lane, resolveTarget } from './lane.ts'
import { loadPayloads } from './store.ts'

/** `graphUrl` is the address under which the hub serves files as the upstream does. */
type Dependencies = { sql: Pool; sealing: Sealing; payloads: PayloadCache; graphUrl: string }

/** A request with the event's payload as it is stored. */
export type PlannedRequest = DeliveryRequest & { mediaUrls: MediaUrls }

type UnreadPayload = { body: null; bytes: number }

/** Payloads by event id. A payload for which there is no room now is not read. */
export type Payloads = ReadonlyMap<string, EventPayload | UnreadPayload>

/** Builds what an attempt sends from the claim, the event's payload and the endpoint's target. */
export function createRequestBuilder({ sql, sealing, payloads, graphUrl }: Dependencies) {
  return {
    /** From the cache, or else from the database, from which it reads `bytesMax` or one payload. */
    async loadPayloads(claimed: ClaimedDelivery[], bytesMax: number): Promise<Payloads> {
      const payloadsById = new Map<string, EventPayload | UnreadPayload>()
      const missing = new Map<string, { organizationId: string; id: string }>()
      for (const { organization_id: organizationId, event_id: id } of claimed) {
        const payload = payloads.get(id)
        if (payload) payloadsById.set(id, payload)
        else missing.set(id, { organizationId, id })
      }
      const loaded = missing.size === 0 ? [] : await loadPayloads(sql, [...missing.values()], bytesMax)
      for (const { id, body, compatBody, bytes } of loaded) {
        payloadsById.set(id, body ? { body, compatBody } : { body, bytes })
        if (body) payloads.put(id, { body, compatBody })
      }
      return payloadsById
    },

    /** Undefined where the payload or the secret cannot be read. Waiting does not help, so that is a failed attempt. */
    build(delivery: ClaimedDelivery, lane: Lane, payloadsById: Payloads): PlannedRequest | undefined {
      const { organizationId, endpointId } = lane
      const target = resolveTarget(lane, delivery, {
        secret: (sealed) => sealing.open(sealed, toSecretPlace(organizationId, endpointId)),
        previousSecret: (sealed) => sealing.open(sealed, toPreviousSecretPlace(organizationId, endpointId)),
      })
      const payload = payloadsById.get(delivery.event_id)
      if (target?.secret === undefined || !payload?.body) return undefined
      const { url, secret, previousSecret, deliveryFormat, mediaUrls, inspectorAnswer } = target
      const bytes = deliveryFormat === 'compat' ? (payload.compatBody ?? payload.body) : payload.body
      return {
        url,
        secret,
        previousSecret,
        deliveryFormat,
        mediaUrls,
        inspectorAnswer,
        deliveryId: delivery.id,
        payload: bytes,
      }
    },

    /** Only when the attempt starts: of many claimed deliveries with a large payload, few start at once. */
    finish(request: PlannedRequest, { event_kind: eventKind }: ClaimedDelivery): DeliveryRequest {
      if (request.mediaUrls === 'upstream') return request
      return { ...request, payload: rewriteMediaUrls(request.payload, eventKind, graphUrl) }
    },
  }
}
