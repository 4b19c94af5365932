import { computeRetryWaitMs } from '../attempts/retry-schedule.ts'
import { type AttemptTimings, SEND_ERRORS, type SendResult } from '../attempts/send-result.ts'
import type { ClaimedDelivery, ClaimKey, ExpiredClaim } from '../engine/delivery.ts'

/** The result of one attempt, as it is written. `waitMs` is null where no attempt follows. */
export type AttemptResult = ClaimKey & {
  attemptId: string
  isSuccess: boolean
  httpStatus: number | null
  errorCode: string | null
  waitMs: number | null
  requestHeaders: object | null
  responseHeaders: object | null
  /** Null where the response has no body, or there is no response. */
  responseBody: Buffer | null
  address: string | null
  timings: object | null
  /** Null where the attempt says nothing about the receiver. */
  latencyMs: number | null
}

/** The error code of an attempt whose payload or secret the hub cannot read: not a failure of the receiver. */
export const UNREADABLE = 'UNREADABLE'
/** The error code of an attempt whose worker died. */
const INTERRUPTED = 'INTERRUPTED'
/** Every error code of an attempt but those of a response, `HTTP_<status>`. */
export const ATTEMPT_ERRORS = [...SEND_ERRORS, INTERRUPTED, UNREADABLE] as const

export function toAttemptResult(
  delivery: ClaimedDelivery,
  claimToken: string,
  attemptId: string,
  sendResult: SendResult,
): AttemptResult {
  const { ok: isSuccess, httpStatus, errorCode, requestHeaders, responseHeaders, responseBody, address } = sendResult
  return {
    ...toClaimKey(delivery, claimToken),
    attemptId,
    isSuccess,
    httpStatus,
    errorCode,
    waitMs: isSuccess ? null : computeRetryWaitMs(delivery.attempts, Math.random(), sendResult.retryAfterSeconds),
    requestHeaders,
    responseHeaders,
    responseBody: responseBody.length > 0 ? responseBody : null,
    address,
    timings: toLoggedTimings(sendResult.timings),
    latencyMs: sendResult.timings.totalMs,
  }
}

export function toUnreadableResult(delivery: ClaimedDelivery, claimToken: string, attemptId: string): AttemptResult {
  const waitMs = computeRetryWaitMs(delivery.attempts, Math.random())
  return withoutResponse(toClaimKey(delivery, claimToken), { attemptId, errorCode: UNREADABLE, waitMs })
}

export function toInterruptedResult(expired: ExpiredClaim, attemptId: string): AttemptResult {
  const waitMs = computeRetryWaitMs(expired.attempts, Math.random())
  return withoutResponse(toClaimKey(expired, expired.claim), { attemptId, errorCode: INTERRUPTED, waitMs })
}

export function toClaimKey(
  row: { organization_id: string; endpoint_id: string; id: string },
  claimToken: string,
): ClaimKey {
  return { organizationId: row.organization_id, endpointId: row.endpoint_id, id: row.id, claimToken }
}

function withoutResponse(
  key: ClaimKey,
  result: Pick<AttemptResult, 'attemptId' | 'errorCode' | 'waitMs'>,
): AttemptResult {
  return {
    ...key,
    ...result,
    isSuccess: false,
    httpStatus: null,
    requestHeaders: null,
    responseHeaders: null,
    responseBody: null,
    address: null,
    timings: null,
    latencyMs: null,
  }
}

function toLoggedTimings({ dnsMs, connectMs, firstByteMs, totalMs }: AttemptTimings) {
  return { dns_ms: dnsMs, connect_ms: connectMs, first_byte_ms: firstByteMs, total_ms: totalMs }
}
