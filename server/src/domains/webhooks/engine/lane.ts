import type { PreviousSecret } from '../attempts/delivery-request.ts'
import type { InspectorAnswer } from '../attempts/inspector-answer.ts'
import type { MediaUrls } from '../attempts/media-urls.ts'
import type { EndpointKey } from '../wake-ups.ts'
import type { ClaimedDelivery } from './delivery.ts'

/** The destination of an endpoint's deliveries. `secret` is undefined if it cannot be unsealed. */
type Target = {
  version: number
  url: string
  secret: string | undefined
  previousSecret: PreviousSecret | undefined
  deliveryFormat: 'native' | 'compat'
  mediaUrls: MediaUrls
  inspectorAnswer: InspectorAnswer | null
}

/** Opens the two secrets of an endpoint. Each is sealed for its column. */
type Unseal = Record<'secret' | 'previousSecret', (sealed: string) => string | undefined>

/** The capacity that attempts in flight occupy: those of one organization, or all. */
export type SlotUsage = { attempts: number; slowAttempts: number; bytes: number }

export function createSlotUsage(): SlotUsage {
  return { attempts: 0, slowAttempts: 0, bytes: 0 }
}

/** One endpoint's scheduling state in the memory of a worker. It may be out of date: the claim statement decides. */
export type Lane = EndpointKey & {
  /** The capacity that all lanes of the organization occupy. */
  usage: SlotUsage
  inFlight: number
  /** Claims that are in progress: a claim relies on the target that the lane had when it was planned. */
  claims: number
  /** The number of attempts that may be in flight: one more after each quick response, half after each slow one. */
  concurrencyLimit: number
  /** The last response was slow. */
  isSlow: boolean
  /** The largest payload of the last claim, as an estimate for the next. 0 where it is not known. */
  payloadBytes: number
  mayHaveDue: boolean
  /** The number to claim at once: doubled after each full batch, one after a batch that was not full. */
  batchSize: number
  /** Counts wake-ups, so that the result of a claim does not cancel one that arrives during the claim. */
  wakeUps: number
  target: Target | undefined
}

export function createLane(
  { organizationId, endpointId }: EndpointKey,
  { usage, concurrencyLimit }: Pick<Lane, 'usage' | 'concurrencyLimit'>,
): Lane {
  return {
    organizationId,
    endpointId,
    usage,
    inFlight: 0,
    claims: 0,
    concurrencyLimit,
    isSlow: false,
    payloadBytes: 0,
    mayHaveDue: false,
    batchSize: 1,
    wakeUps: 0,
    target: undefined,
  }
}

/** The target at the moment of the claim. A claim returns the columns of a version that the worker does not know. */
export function resolveTarget(lane: Lane, delivery: ClaimedDelivery, unseal: Unseal): Target | undefined {
  const { version, url, secret, delivery_format: deliveryFormat, media_urls: mediaUrls } = delivery
  const { inspector_answer: inspectorAnswer } = delivery
  if (url !== null && secret !== null && deliveryFormat !== null && mediaUrls !== null) {
    const previousSecret = readPreviousSecret(delivery, unseal)
    lane.target = {
      version,
      url,
      secret: unseal.secret(secret),
      previousSecret,
      deliveryFormat,
      mediaUrls,
      inspectorAnswer,
    }
  }
  return lane.target?.version === version ? lane.target : undefined
}

function readPreviousSecret(delivery: ClaimedDelivery, unseal: Unseal): PreviousSecret | undefined {
  const { previous_secret, previous_secret_until } = delivery
  const secret = previous_secret === null ? undefined : unseal.previousSecret(previous_secret)
  if (secret === undefined || previous_secret_until === null) return undefined
  return { secret, validUntilMs: Date.parse(previous_secret_until) }
}
