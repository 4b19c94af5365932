import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../kernel/logger.ts'
import { parseLossless } from '../json.ts'
import { type Address, type Call, effectOf, outgoingOf, preflight, withoutSecrets } from './call.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type Result, reportedFailure, silentFailure, type UpstreamFailure } from './errors.ts'
import { type Answer, createTransport, type Opened } from './transport.ts'

/** The longest waits before the second and the third try of a read; jitter takes up to half away. */
const RETRY_WAITS_MS = [100, 400]

export type ClientOptions = {
  url: string
  version: string
  appId: string
  appSecret: string
  /** What a send may take; every other call gets half. */
  timeoutMs: number
  /** Hosts beside the configured one, always over https. */
  allowedHosts?: string[]
  logger?: Logger
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type Client = ReturnType<typeof createClient>

/** Calls of the Graph API: token, deadline, retry of reads, and the judgement of what came back. */
export function createClient({ url, timeoutMs, allowedHosts = [], logger, sleep = pause, ...app }: ClientOptions) {
  const address: Address = { ...app, url: new URL(url) }
  const origins = [address.url.origin, ...allowedHosts.map((host) => new URL(`https://${host}`).origin)]
  const transport = createTransport({ origins, connectTimeoutMs: timeoutMs / 2 })

  async function attempt<T>(call: Call<T>, signal: AbortSignal): Promise<Result<T>> {
    const outcome = await transport.exchange(outgoingOf(address, call, signal))
    if (outcome.isAnswer) return judge(address, call, outcome)
    // A form that broke off before its closing boundary is no form: nothing can have been stored.
    const mayBeDone = outcome.hasLeft && call.form?.isWhole() !== false
    return { ok: false, failure: silentFailure(effectOf(call), { ...outcome, mayBeDone }) }
  }

  /** No write is repeated here, ever: only its caller can know whether that is safe. */
  async function perform<T>(call: Call<T>, { signal }: Deadline): Promise<Result<T>> {
    const waits = effectOf(call) === 'read' ? RETRY_WAITS_MS : []
    const startedAt = performance.now()
    for (let tries = 1; ; tries++) {
      const result = await attempt(call, signal)
      const waitMs = result.ok || !isWorthRepeating(result.failure) ? undefined : waits[tries - 1]
      if (waitMs !== undefined && !signal.aborted) await sleep(waitMs * (0.5 + Math.random() / 2), signal)
      if (waitMs !== undefined && !signal.aborted) continue
      if (logger) report(logger, call.name, result, { tries, ms: Math.round(performance.now() - startedAt) })
      return result
    }
  }

  return {
    newDeadline: (ceilingMs?: number) => startDeadline(timeoutMs / 2, ceilingMs),

    async call<T>(call: Call<T>): Promise<Result<T>> {
      const failure = preflight(call, transport.isAllowed)
      if (failure) return { ok: false, failure }
      if (call.deadline) return perform(call, call.deadline)
      using deadline = startDeadline(call.isSend ? timeoutMs : timeoutMs / 2)
      return await perform(call, deadline)
    },

    /** Opens an answer that may be too long to hold. It is not judged: its status may mean anything. */
    async open(call: Omit<Call<never>, 'read'>, signal: AbortSignal): Promise<Result<Opened>> {
      const question = { ...call, read: () => undefined }
      const failure = preflight(question, transport.mayDownloadFrom)
      if (failure) return { ok: false, failure }
      const startedAt = performance.now()
      const outcome = await transport.open(outgoingOf(address, question, signal))
      const result: Result<Opened> = outcome.isAnswer
        ? { ok: true, value: outcome }
        : { ok: false, failure: silentFailure('read', { ...outcome, mayBeDone: false }) }
      if (logger) report(logger, call.name, result, { tries: 1, ms: Math.round(performance.now() - startedAt) })
      return result
    },

    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  }
}

function judge<T>(address: Address, call: Call<T>, { status, bytes, traceId }: Answer): Result<T> {
  const text = textIn(bytes)
  const clean = withoutSecrets(unescaped(text), address, call)
  const said = parsed(clean)
  const reported = reportedFailure(status, said)
  if (reported) {
    const isCredentialRefused = reported.isCredentialRefused && call.token !== undefined
    return { ok: false, failure: { ...reported, isCredentialRefused } }
  }
  const value = status >= 200 && status < 300 ? call.read(clean === text ? said : parsed(text), text) : undefined
  if (value !== undefined) return { ok: true, value }
  const cause = new Error('The answer is not what was asked for')
  return { ok: false, failure: silentFailure(effectOf(call), { mayBeDone: true, status, traceId, cause }) }
}

function textIn(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Bytes that are no text are no JSON either, and are judged as such.
    return ''
  }
}

/** A secret that is written with escapes is found like any other. */
function unescaped(text: string): string {
  if (!text.includes('\\u')) return text
  try {
    return JSON.stringify(parseLossless(text))
  } catch {
    // No JSON, or nested so deep that nobody will look into it.
    return text
  }
}

function parsed(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    // The parser's message quotes the text, which may hold a token: it goes no further.
    return undefined
  }
}

/** No answer, or one that blames the moment. A strange answer with another status is strange every time. */
function isWorthRepeating({ kind, status, code }: UpstreamFailure): boolean {
  return kind === 'unavailable' && (status === null || status >= 500 || code !== null)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The deadline ends the pause early; whoever paused looks at the signal next.
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** Names and codes only: addresses, bodies and the upstream's own words can hold tokens and phone numbers. */
function report(logger: Logger, call: string, result: Result<unknown>, effort: { tries: number; ms: number }): void {
  if (result.ok) {
    logger.debug({ call, ...effort }, 'upstream call')
    return
  }
  const { kind, status, code, error_subcode, fbtrace_id, cause } = result.failure
  const level = kind === 'refused' || kind === 'limited' ? 'info' : 'warn'
  logger[level]({ call, kind, status, code, error_subcode, fbtrace_id, ...effort, err: cause }, 'upstream call')
}
