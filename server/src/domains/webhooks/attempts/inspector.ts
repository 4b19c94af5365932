import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../../../kernel/clock.ts'
import { buildRequestHeaders, type DeliveryRequest } from './delivery-request.ts'
import type { InspectorAnswer } from './inspector-answer.ts'
import { type SendResult, toStatusErrorCode } from './send-result.ts'

type Settings = { userAgent: string; now: Clock; deadlineMs: number }

/**
 * The receiver inside the hub. It gets the headers and the body that a receiver outside would get, signed at the same
 * moment, and no connection is made. The result is written as that of every attempt.
 */
export async function inspect(
  request: DeliveryRequest,
  answer: InspectorAnswer,
  { userAgent, now, deadlineMs }: Settings,
): Promise<SendResult> {
  const startedAt = performance.now()
  const requestHeaders = buildRequestHeaders(request, userAgent, now())
  const status = answer === 'hang' ? null : Number(answer)
  if (status === null) await wait(deadlineMs)
  const errorCode = status === null ? 'TIMEOUT' : toStatusErrorCode(status)
  return {
    ok: errorCode === null,
    httpStatus: status,
    errorCode,
    retryAfterSeconds: null,
    requestHeaders,
    responseHeaders: {},
    responseBody: Buffer.alloc(0),
    address: null,
    timings: { dnsMs: null, connectMs: null, firstByteMs: null, totalMs: Math.round(performance.now() - startedAt) },
  }
}
