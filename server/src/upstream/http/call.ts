import type { Readable } from 'node:stream'
import type { Deadline } from './deadline.ts'
import { type Effect, ownRefusal, type UpstreamFailure } from './errors.ts'
import type { MultipartForm } from './multipart.ts'
import type { Outgoing } from './transport.ts'

/** Secrets are longer; replacing shorter text would tear ids apart. */
export const SECRET_LENGTH_MIN = 8

export type Call<T> = {
  /** What the log calls it. */
  name: string
  method: Outgoing['method']
  /** A GET is a read unless it says otherwise. */
  effect?: Effect
  /** Path segments after the version, or a whole address that the upstream gave out. */
  to: string[] | URL
  query?: Record<string, string | number | null | undefined>
  /** The caller's token, or the app's own; neither for the code exchange. */
  token?: string
  asApp?: true
  /** What must not come back in the words of an error, beside the token. */
  secrets?: string[]
  json?: unknown
  form?: MultipartForm
  /** The bytes of a file, for an upload session. */
  file?: { body: Readable; bytes: number }
  /** The part of a file that is wanted, as the header of a request says it. */
  range?: string
  /** For what may be longer than most answers. */
  answerBytesMax?: number
  /** A deadline shared with other calls; its own by default. */
  deadline?: Deadline
  isSend?: true
  /** Takes the value out of a good answer; undefined means that it is not one. */
  read: (body: unknown, text: string) => T | undefined
}

export type Address = { url: URL; version: string; appId: string; appSecret: string }

export function effectOf({ effect, method }: Call<unknown>): Effect {
  return effect ?? (method === 'GET' ? 'read' : 'write')
}

/** What can be refused by looking at the call: it would fail in the HTTP client, or reach another object than named. */
export function preflight(call: Call<unknown>, isAllowed: (origin: string) => boolean): UpstreamFailure | undefined {
  if (call.token !== undefined && !/^[\x21-\x7e]+$/.test(call.token)) {
    return ownRefusal('The access token holds characters that no access token has', { isCredentialRefused: true })
  }
  if (call.to instanceof URL) {
    return isAllowed(call.to.origin) ? undefined : ownRefusal('The address is on a host that is not allowed')
  }
  // Also keeps `..` and `/` out of the path: some ids are given by strangers.
  const isPath = call.to.every((segment) => /^[\w-]{1,128}$/.test(segment))
  return isPath ? undefined : ownRefusal('This is not the id of any object')
}

export function outgoingOf(address: Address, call: Call<unknown>, signal: AbortSignal): Outgoing {
  const url = targetOf(address, call)
  return {
    method: call.method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: headersOf(address, call),
    signal,
    ...(call.answerBytesMax !== undefined && { answerBytesMax: call.answerBytesMax }),
    ...bodyOf(call),
  }
}

function targetOf({ url, version }: Address, { to, query = {} }: Call<unknown>): URL {
  const target = to instanceof URL ? new URL(to) : new URL(url.origin)
  if (!(to instanceof URL)) target.pathname = [url.pathname.replace(/\/+$/, ''), version, ...to].join('/')
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) target.searchParams.set(name, String(value))
  }
  return target
}

function headersOf({ appId, appSecret }: Address, call: Call<unknown>): Record<string, string> {
  const token = call.asApp ? `${appId}|${appSecret}` : call.token
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'hubline',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.form ? { 'content-type': call.form.contentType } : {}),
    ...(call.range === undefined ? {} : { range: call.range }),
    ...(call.file && token !== undefined ? sessionHeaders(token, call.file.bytes) : {}),
  }
}

/** Upload sessions have a name of their own for the token, and take the offset as a header. */
function sessionHeaders(token: string, bytes: number): Record<string, string> {
  return {
    authorization: `OAuth ${token}`,
    file_offset: '0',
    'content-type': 'application/octet-stream',
    'content-length': String(bytes),
  }
}

function bodyOf({ json, form, file }: Call<unknown>): Pick<Outgoing, 'body'> {
  if (form) return { body: form.body }
  if (file) return { body: file.body }
  return json === undefined ? {} : { body: JSON.stringify(json) }
}

/** The upstream quotes a token that it cannot read; its words are shown to callers, the token must not be. */
export function withoutSecrets(text: string, { appSecret }: Address, { token, secrets = [] }: Call<unknown>): string {
  return [appSecret, token ?? '', ...secrets]
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}
