import { type Deadline, startDeadline, wait } from './deadline.ts'
import { HubConnectionError, HubError } from './errors.ts'
import { encodeForm } from './form.ts'
import { List } from './pages.ts'
import { parseSuccess, readText, toConnectionError, toRefusal, toResponseError } from './response.ts'
import { decideWait, type FailedAttempt, parseRetryAfter } from './retries.ts'

export type RequestOptions = {
  /** Ends the request, its retries and the waits between them; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The time limit of one attempt; for a download, until it begins. 60 seconds, and ten minutes with a form. */
  timeoutMs?: number | undefined
  /** The largest number of repetitions of a request that is safe to repeat. 2 by default. */
  retries?: number | undefined
  headers?: Record<string, string> | undefined
}

export type KeyedOptions = RequestOptions & {
  /** Names this request, so that a repetition has no second effect. One is made where it is left out. */
  idempotencyKey?: string | undefined
}

/** One operation of the hub. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, unknown>
  body?: unknown
  form?: Record<string, unknown>
  /** It takes an Idempotency-Key. */
  isKeyed?: true
  /** Its result is the whole body, not the `data` in it. */
  isBare?: true
  /** The member of the `data` that is a list. */
  list?: string
}

export type RequesterOptions = RequestOptions & {
  /** The address of the hub: `https://hub.example.com`. On a page that the hub itself serves it may be `''`. */
  url: string
  /** An API key (`hub_pk_…`) or a channel token (`hub_ch_…`). A page with the cookie of a session has none. */
  credential?: string | undefined
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined
}

const TIMEOUT_MS = 60_000
const FORM_TIMEOUT_MS = 600_000
const RETRIES = 2
const REPEATABLE_METHODS = new Set(['GET', 'PUT', 'DELETE'])

type Read<Result> = (response: Response, deadline: Deadline) => Promise<Result>
type Failed = FailedAttempt & { error: HubError }
/** The state that all attempts of a request share. */
type Prepared = {
  url: string
  init: RequestInit
  key: string | null
  timeoutMs: number
  signal: AbortSignal | undefined
  closeBody: (() => void) | undefined
}

/** Makes requests, again where that is safe, and turns every failure into a {@link HubError}. */
export class Requester {
  readonly #options: RequesterOptions
  readonly #url: string

  constructor(options: RequesterOptions) {
    checkCredential(options.credential)
    this.#options = options
    this.#url = options.url === '' && isOnPage() ? '' : checkUrl(options.url)
  }

  /** Resolves to the `data` of the response. */
  async send<Data>(call: Call, options: KeyedOptions = {}): Promise<Data> {
    const key = call.isKeyed ? (options.idempotencyKey ?? createKey()) : null
    return this.#repeat(call, options, key, async (response, deadline) => {
      const text = await readText(response, key)
      deadline.end()
      const body = parseSuccess(response, text, key)
      if (call.isBare) return body as Data
      if (!isData(body.data, call.list)) throw toResponseError(response, text, key)
      return body.data as Data
    })
  }

  /** Resolves to the response as soon as it begins. Its body is a stream. */
  async stream(call: Call, options: RequestOptions = {}): Promise<Response> {
    const signal = options.signal ?? this.#options.signal
    return this.#repeat(call, options, null, async (response, deadline) => {
      deadline.stopClock()
      return new Response(response.body && watchBody(response.body, deadline, signal), response)
    })
  }

  list<Item>(member: string, call: Call, options?: RequestOptions): List<Item> {
    return new List(async (cursor) => {
      const query = cursor === undefined ? call.query : { ...call.query, cursor }
      const data = await this.send<Record<string, unknown>>({ ...call, list: member, ...(query && { query }) }, options)
      const nextCursor = typeof data.next_cursor === 'string' ? data.next_cursor : null
      return { items: data[member] as Item[], nextCursor }
    })
  }

  async #repeat<Result>(call: Call, options: RequestOptions, key: string | null, read: Read<Result>): Promise<Result> {
    const prepared = this.#prepare(call, options, key)
    const { closeBody, signal } = prepared
    // A stream can be read once only.
    const retries = closeBody ? 0 : (options.retries ?? this.#options.retries ?? RETRIES)
    const isKeyed = key !== null
    const repetition = { isRepeatable: isKeyed || REPEATABLE_METHODS.has(call.method), isKeyed }
    try {
      for (let attempt = 1; ; attempt += 1) {
        const result = await this.#attempt(prepared, read)
        if ('value' in result) return result.value
        const waitMs = attempt <= retries ? decideWait(attempt, result, repetition) : undefined
        if (waitMs === undefined) throw result.error
        await wait(waitMs, signal)
      }
    } finally {
      closeBody?.()
    }
  }

  async #attempt<Result>(prepared: Prepared, read: Read<Result>): Promise<{ value: Result } | Failed> {
    const { url, init, key, timeoutMs, signal } = prepared
    signal?.throwIfAborted()
    const deadline = startDeadline(timeoutMs, signal)
    let retryAfterMs: number | undefined
    try {
      const response = await this.#fetch(url, { ...init, signal: deadline.signal })
      if (response.ok) return { value: await read(response, deadline) }
      retryAfterMs = parseRetryAfter(response.headers)
      throw toRefusal(response, await readText(response, key), key)
    } catch (err) {
      deadline.end()
      signal?.throwIfAborted()
      const error = err instanceof HubError ? err : toConnectionError(err, deadline.isOver(), key, this.#url)
      const isSent = !(error instanceof HubConnectionError) || error.isSent
      return { error, code: error.code, reason: error.reason, status: error.status, isSent, retryAfterMs }
    }
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    return this.#options.fetch ? this.#options.fetch(url, init) : fetch(url, init)
  }

  #prepare(call: Call, options: RequestOptions, key: string | null): Prepared {
    const { credential } = this.#options
    const form = call.form && encodeForm(call.form)
    const json = call.body === undefined ? undefined : JSON.stringify(call.body)
    const body = form?.body ?? json
    const contentType = form?.contentType ?? (json === undefined ? undefined : 'application/json')
    // Made here, so that a header that cannot be sent is the caller's mistake, and no failure of a connection.
    const headers = new Headers({
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(key !== null && { 'idempotency-key': key }),
      ...this.#options.headers,
      ...options.headers,
    })
    // A redirect would turn a POST into a GET; the hub answers none.
    const init = { method: call.method, headers, redirect: 'manual', ...(body !== undefined && { body }) } as const
    return {
      url: this.#url + call.path + encodeQuery(call.query),
      // Every runtime wants `duplex` with a stream, and the types of some do not have it.
      init: form?.close ? ({ ...init, duplex: 'half' } as RequestInit) : init,
      key,
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? (form ? FORM_TIMEOUT_MS : TIMEOUT_MS),
      signal: options.signal ?? this.#options.signal,
      closeBody: form?.close,
    }
  }
}

/** Returns true on a page of a browser, in which a path alone is an address. Elsewhere `fetch` refuses it. */
function isOnPage(): boolean {
  return 'location' in globalThis
}

function checkUrl(url: string): string {
  if (!/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(url)) {
    // The text before an @ may be a password.
    const shown = String(url).includes('@') ? 'one with a user name' : JSON.stringify(url)
    throw new TypeError(`The hub's url must be like https://hub.example.com, not ${shown}.`)
  }
  return url.replace(/\/+$/, '')
}

/** The message does not show it: a secret with a line end in it is still a secret. */
function checkCredential(credential: unknown): void {
  if (credential === undefined || (typeof credential === 'string' && /^[\x21-\x7e]+$/.test(credential))) return
  throw new TypeError('The credential must be a text without spaces and line ends, hub_pk_… or hub_ch_….')
}

function encodeQuery(query: Record<string, unknown> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const encoded = parameters.toString()
  return encoded === '' ? '' : `?${encoded}`
}

/** Types are not checked any further: a hub of another version may have more members, or other values. */
function isData(data: unknown, list: string | undefined): boolean {
  if (typeof data !== 'object' || data === null) return false
  return list === undefined || Array.isArray((data as Record<string, unknown>)[list])
}

/** 128 random bits. Unlike `randomUUID`, this exists on pages without https too. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Passes the body on, ends the deadline with it, and names the failure of a connection that breaks in the middle. */
function watchBody(body: ReadableStream<Uint8Array>, deadline: Deadline, signal: AbortSignal | undefined) {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        deadline.end()
        controller.close()
      } catch (err) {
        deadline.end()
        throw signal?.aborted ? signal.reason : toConnectionError(err, false, null)
      }
    },
    cancel(reason) {
      deadline.end()
      return reader.cancel(reason)
    },
  })
}
