/** How many deliveries of an endpoint a worker has room for, and which version of the endpoint it remembers. */
export type Want = { organizationId: string; endpointId: string; count: number; knownVersion: number }

export type Claimed = {
  organization_id: string
  endpoint_id: string
  id: string
  event_id: string
  event_kind: string
  attempts: number
  version: number
  /** These are null where the worker remembers them. */
  url: string | null
  secret: string | null
  delivery_format: 'native' | 'compat' | null
}

export type ClaimKey = { organizationId: string; endpointId: string; id: string; claim: string }

/** How an attempt ended. `waitMs` is null when there is none to follow. */
export type Ending = ClaimKey & {
  attemptId: string
  isSuccess: boolean
  httpStatus: number | null
  errorCode: string | null
  waitMs: number | null
  requestHeaders: object | null
  responseHeaders: object | null
  responseBody: Buffer | null
  address: string | null
  timings: object | null
}

/** The error code of an attempt whose payload or secret the hub could not read: no receiver can be blamed for that. */
export const UNREADABLE = 'UNREADABLE'

export type Ended = { organization_id: string; endpoint_id: string; id: string }
