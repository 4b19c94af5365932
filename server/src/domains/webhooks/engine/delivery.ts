import type { InspectorAnswer } from '../attempts/inspector-answer.ts'
import type { MediaUrls } from '../attempts/media-urls.ts'

/**
 * The states of a delivery: one event on its way to one endpoint.
 *
 * pending: inserted in the transaction of its event, for each endpoint that is
 * active then; or by a replay, a test or a recovery. A worker claims it and
 * counts the attempt: processing. Where the process that inserts it can attempt
 * it at once, it is inserted as processing.
 *
 * processing: one worker holds it, under a claim token and a lease. The attempt
 * leads to
 *   succeeded: any 2xx;
 *   retry: any other result, up to the ninth failure;
 *   dead: the tenth failure;
 *   canceled: a failure after the endpoint was disabled, or changed to a payload
 *   mode that excludes the event.
 * A worker that dies leaves claims: when its session with the database has been
 * gone for 3 s, or the lease expires, the attempt failed with INTERRUPTED, which
 * does not count against the receiver. A worker that
 * stops in time, or cannot start the attempt at once, releases the claim, and
 * the attempt does not count. Every write matches the claim token, so a worker
 * that lost its claim changes nothing.
 *
 * retry: waits, longer after each failure, and is then claimed like a pending
 * delivery, after all first attempts of the same endpoint. A person may make the
 * next attempt due at once; it is then claimed before these.
 *
 * succeeded, dead, canceled: final. The row moves from the queue to the log and
 * never changes again; a replay is a new delivery of the same event.
 *
 * While the attempts of an endpoint are spaced, because it keeps failing, its
 * deliveries wait for its turn, pending or in retry as they are.
 *
 * A paused endpoint holds its deliveries: none is claimed until it is active
 * again, and after four days they are canceled. Disabling an endpoint cancels at
 * once every delivery that is not processing; a change of its payload mode, those
 * that the new mode excludes. Deleting it deletes its deliveries.
 */
export type ClaimedDelivery = {
  organization_id: string
  endpoint_id: string
  id: string
  event_id: string
  event_kind: string
  /** Counts the attempt that this claim is for. */
  attempts: number
  /** The endpoint's version. The next seven are null where the worker already knows that version. */
  version: number
  url: string | null
  secret: string | null
  /** The secret that signs too, and until when; null but in the overlap of a rotation. */
  previous_secret: string | null
  previous_secret_until: string | null
  delivery_format: 'native' | 'compat' | null
  media_urls: MediaUrls | null
  /** Null for an endpoint that is not an inspector too. */
  inspector_answer: InspectorAnswer | null
}

/** The number of deliveries of an endpoint that a worker can start, and the version of the endpoint that it knows. */
export type ClaimRequest = { organizationId: string; endpointId: string; count: number; knownVersion: number }

/** `claimToken` is what the claim wrote into the column `claim` of the row. */
export type ClaimKey = { organizationId: string; endpointId: string; id: string; claimToken: string }

export type ExpiredClaim = { organization_id: string; endpoint_id: string; id: string; claim: string; attempts: number }
