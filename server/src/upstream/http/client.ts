import * as timers from 'node:timers/promises'
import { parseLossless } from '../../kernel/json/lossless.ts'
import { STRICT_UTF8 } from '../../kernel/json/utf8.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type Attributes, trace } from '../../kernel/tracing.ts'
import { buildUpstreamRequest, type Call, type GraphApp, getEffect, redactCallSecrets, validateCall } from './call.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { buildNoResponseFailure, parseGraphFailure, type Result, type UpstreamFailure } from './errors.ts'
import { createTransport, type StreamedResponse, type UpstreamResponse } from './transport.ts'

/** The longest waits before the second and the third attempt of a read; jitter subtracts up to half. */
const RETRY_WAITS_MS = [100, 400]

export type UpstreamOptions = {
  url: string
  version: string
  appId: string
  appSecret: string
  /** The time limit of a send; every other call gets half of it. */
  timeoutMs: number
  /** Hosts beside the one of `url`, reached over https only. */
  allowedHosts?: string[]
  logger?: Logger
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type UpstreamClient = ReturnType<typeof createUpstreamClient>

/** Calls the Graph API: adds the token, keeps the deadline, retries reads, and classifies the response. */
export function createUpstreamClient(options: UpstreamOptions) {
  const { url, timeoutMs, allowedHosts = [], logger, sleep = defaultSleep, ...rest } = options
  const app: GraphApp = { ...rest, url: new URL(url) }
  const origins = [app.url.origin, ...allowedHosts.map((host) => new URL(`https://${host}`).origin)]
  const transport = createTransport({ origins, connectTimeoutMs: timeoutMs / 2 })

  async function attempt<T>(call: Call<T>, signal: AbortSignal): Promise<Result<T>> {
    const outcome = await transport.request(buildUpstreamRequest(app, call, signal))
    if (outcome.isResponse) return readResult(app, call, outcome)
    // Without its closing boundary a form is invalid, so the upstream stored nothing.
    const mayHaveTakenEffect = outcome.wasSent && call.form?.isComplete() !== false
    return { ok: false, failure: buildNoResponseFailure(getEffect(call), { ...outcome, mayHaveTakenEffect }) }
  }

  /** Never repeats a write: only the caller can know whether that is safe. */
  async function callWithRetries<T>(call: Call<T>, { signal }: Deadline, attributes: Attributes): Promise<Result<T>> {
    const waits = getEffect(call) === 'read' ? RETRY_WAITS_MS : []
    const startedAt = performance.now()
    for (let attempts = 1; ; attempts++) {
      const result = await attempt(call, signal)
      const waitMs = result.ok || !isRetryable(result.failure) ? undefined : waits[attempts - 1]
      if (waitMs !== undefined && !signal.aborted) await sleep(waitMs * (0.5 + Math.random() / 2), signal)
      if (waitMs !== undefined && !signal.aborted) continue
      if (logger) logCall(logger, call.name, result, { attempts, ms: Math.round(performance.now() - startedAt) })
      addOutcome(attributes, result, attempts)
      return result
    }
  }

  return {
    newDeadline: (maxMs?: number) => startDeadline(timeoutMs / 2, maxMs),

    async call<T>(call: Call<T>): Promise<Result<T>> {
      const failure = validateCall(call, transport.isAllowed)
      if (failure) return { ok: false, failure }
      return trace({ name: `upstream ${call.name}`, kind: 'client' }, async (attributes) => {
        if (call.deadline) return callWithRetries(call, call.deadline, attributes)
        using deadline = startDeadline(call.isSend ? timeoutMs : timeoutMs / 2)
        return await callWithRetries(call, deadline, attributes)
      })
    },

    /** Opens a response that may be too long to hold in memory. The caller interprets its status. */
    async openStream(call: Omit<Call<never>, 'read'>, signal: AbortSignal): Promise<Result<StreamedResponse>> {
      const streamed = { ...call, read: () => undefined }
      const failure = validateCall(streamed, transport.mayDownloadFrom)
      if (failure) return { ok: false, failure }
      const startedAt = performance.now()
      return trace({ name: `upstream ${call.name}`, kind: 'client' }, async (attributes) => {
        const outcome = await transport.openStream(buildUpstreamRequest(app, streamed, signal))
        const result: Result<StreamedResponse> = outcome.isResponse
          ? { ok: true, value: outcome }
          : { ok: false, failure: buildNoResponseFailure('read', { ...outcome, mayHaveTakenEffect: false }) }
        if (logger) logCall(logger, call.name, result, { attempts: 1, ms: Math.round(performance.now() - startedAt) })
        addOutcome(attributes, result, 1)
        return result
      })
    },

    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  }
}

function readResult<T>(app: GraphApp, call: Call<T>, { status, bytes, traceId }: UpstreamResponse): Result<T> {
  const text = decodeUtf8(bytes)
  const redacted = redactCallSecrets(unescapeJson(text), app, call)
  const redactedBody = parseBody(redacted)
  const reported = parseGraphFailure(status, redactedBody, { isSend: call.isSend === true })
  if (reported) {
    const partlyDone = reported.kind === 'refused' ? call.readRefused?.(redactedBody) : undefined
    if (partlyDone !== undefined) return { ok: true, value: partlyDone }
    const isCredentialRefused = reported.isCredentialRefused && call.token !== undefined
    return { ok: false, failure: { ...reported, isCredentialRefused } }
  }
  const isSuccess = status >= 200 && status < 300
  const value = isSuccess ? call.read(redacted === text ? redactedBody : parseBody(text), text) : undefined
  if (value !== undefined) return { ok: true, value }
  const cause = new Error('The response does not have the expected shape')
  return {
    ok: false,
    failure: buildNoResponseFailure(getEffect(call), { mayHaveTakenEffect: true, status, traceId, cause }),
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return STRICT_UTF8.decode(bytes)
  } catch {
    // Bytes that are not UTF-8 are not JSON either, and an empty text fails as such.
    return ''
  }
}

/** Removes escapes, so that a secret written with `\u` sequences is redacted too. */
function unescapeJson(text: string): string {
  if (!text.includes('\\u')) return text
  try {
    return JSON.stringify(parseLossless(text))
  } catch {
    // Not JSON, or nested too deeply to parse: no part of it is shown to a client.
    return text
  }
}

function parseBody(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    // The parser's message quotes the text, which may contain a token, so it is dropped.
    return undefined
  }
}

/** Retries on no response, a 5xx, or an error that Graph marks as transient. */
function isRetryable({ kind, status, code }: UpstreamFailure): boolean {
  return kind === 'unavailable' && (status === null || status >= 500 || code !== null)
}

async function defaultSleep(ms: number, signal: AbortSignal): Promise<void> {
  // The deadline ends the wait early; the caller checks the signal next.
  await timers.setTimeout(ms, undefined, { signal }).catch(() => undefined)
}

function addOutcome(attributes: Attributes, result: Result<unknown>, attempts: number): void {
  attributes['hubline.attempts'] = attempts
  if (result.ok) return
  const { kind, status, code } = result.failure
  attributes['error.type'] = kind
  if (status !== null) attributes['http.response.status_code'] = status
  if (code !== null) attributes['hubline.upstream_code'] = code
}

/** Logs names and codes only: URLs, bodies and error messages can contain tokens and phone numbers. */
function logCall(logger: Logger, call: string, result: Result<unknown>, stats: { attempts: number; ms: number }): void {
  if (result.ok) {
    logger.debug({ call, ...stats }, 'upstream call')
    return
  }
  const { kind, status, code, error_subcode, fbtrace_id, cause } = result.failure
  const level = kind === 'refused' || kind === 'throttled' ? 'info' : 'warn'
  logger[level]({ call, kind, status, code, error_subcode, fbtrace_id, ...stats, err: cause }, 'upstream call')
}
