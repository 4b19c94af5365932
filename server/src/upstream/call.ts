import type { Deadline } from './deadline.ts'
import { type Effect, ownRefusal, type UpstreamFailure } from './errors.ts'
import type { MultipartForm } from './multipart.ts'
import type { Outgoing } from './transport.ts'

/** Secrets are longer; replacing shorter text would tear ids apart. */
const SECRET_LENGTH_MIN = 8

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
  /** A deadline shared with other calls; its own by default. */
  deadline?: Deadline
  isSend?: true
  /** Takes the value out of a good answer; undefined means that it is not one. */
  read: (body: unknown) => T | undefined
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
  }
}

function bodyOf({ json, form }: Call<unknown>): Pick<Outgoing, 'body'> {
  if (form) return { body: form.body }
  return json === undefined ? {} : { body: JSON.stringify(json) }
}

/** The upstream quotes a token that it cannot read; its words are shown to callers, the token must not be. */
export function withoutSecrets(text: string, { appSecret }: Address, { token, secrets = [] }: Call<unknown>): string {
  return [appSecret, token ?? '', ...secrets]
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}
