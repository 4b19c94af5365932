import type { Readable } from 'node:stream'
import type { Deadline } from './deadline.ts'
import { buildInvalidCallFailure, type Effect, type UpstreamFailure } from './errors.ts'
import type { MultipartForm } from './multipart.ts'
import type { UpstreamRequest } from './transport.ts'

/** Every real secret is longer. Redacting shorter text would also hit parts of ids. */
export const SECRET_LENGTH_MIN = 8

export type Call<T> = {
  /** The name in the log. */
  name: string
  method: UpstreamRequest['method']
  /** By default a GET is a read, and every other method is a write. */
  effect?: Effect
  /** Path segments after the version, or an absolute URL from an upstream response. */
  to: string[] | URL
  query?: Record<string, string | number | null | undefined>
  /** The channel's token. The code exchange has neither this nor `asApp`. */
  token?: string
  /** Authenticates with the app's own token. */
  asApp?: true
  /** Values to redact from error messages, beside the token and the app secret. */
  secrets?: string[]
  json?: unknown
  /** A body of texts, as application/x-www-form-urlencoded. */
  fields?: Record<string, string>
  form?: MultipartForm
  /** The bytes of a file, for an upload session. */
  file?: { body: Readable; bytes: number }
  /** The value of the `Range` header. */
  range?: string
  /** Replaces the default limit, for long responses. */
  responseBytesMax?: number
  /** A deadline shared with other calls. By default the call has its own. */
  deadline?: Deadline
  isSend?: true
  /** Reads the value from a 2xx response; undefined means that the response has another shape. */
  read: (body: unknown, text: string) => T | undefined
  /** Reads the value from a refusal that says which part was done. Any other refusal is a failure. */
  readRefused?: (body: unknown) => T | undefined
}

/** The address of the Graph API, and the app that calls it. */
export type GraphApp = { url: URL; version: string; appId: string; appSecret: string }

export function getEffect({ effect, method }: Call<unknown>): Effect {
  return effect ?? (method === 'GET' ? 'read' : 'write')
}

/** Refuses calls that the HTTP client would reject or that would reach another object than the one named. */
export function validateCall(call: Call<unknown>, isAllowed: (origin: string) => boolean): UpstreamFailure | undefined {
  if (call.token !== undefined && !/^[\x21-\x7e]+$/.test(call.token)) {
    return buildInvalidCallFailure('The access token contains characters that are not allowed', {
      isCredentialRefused: true,
    })
  }
  if (call.to instanceof URL) {
    return isAllowed(call.to.origin)
      ? undefined
      : buildInvalidCallFailure('The address is on a host that is not allowed')
  }
  // Also keeps `..` and `/` out of the path: clients choose some of the ids.
  const isPath = call.to.every((segment) => /^[\w-]{1,128}$/.test(segment))
  return isPath ? undefined : buildInvalidCallFailure('An id has letters, digits, _ and - only')
}

export function buildUpstreamRequest(app: GraphApp, call: Call<unknown>, signal: AbortSignal): UpstreamRequest {
  const url = buildUrl(app, call)
  return {
    method: call.method,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: buildHeaders(app, call),
    signal,
    ...(call.responseBytesMax !== undefined && { responseBytesMax: call.responseBytesMax }),
    ...buildBody(call),
  }
}

function buildUrl({ url, version }: GraphApp, { to, query = {} }: Call<unknown>): URL {
  const target = to instanceof URL ? new URL(to) : new URL(url.origin)
  if (!(to instanceof URL)) target.pathname = [url.pathname.replace(/\/+$/, ''), version, ...to].join('/')
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) target.searchParams.set(name, String(value))
  }
  return target
}

function buildHeaders({ appId, appSecret }: GraphApp, call: Call<unknown>): Record<string, string> {
  const token = call.asApp ? `${appId}|${appSecret}` : call.token
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'hubline',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(call.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    ...(call.form ? { 'content-type': call.form.contentType } : {}),
    ...(call.range === undefined ? {} : { range: call.range }),
    ...(call.file && token !== undefined ? buildUploadHeaders(token, call.file.bytes) : {}),
  }
}

/** Upload sessions use the scheme `OAuth` instead of `Bearer`, and read the offset from a header. */
function buildUploadHeaders(token: string, bytes: number): Record<string, string> {
  return {
    authorization: `OAuth ${token}`,
    file_offset: '0',
    'content-type': 'application/octet-stream',
    'content-length': String(bytes),
  }
}

function buildBody({ json, fields, form, file }: Call<unknown>): Pick<UpstreamRequest, 'body'> {
  if (fields) return { body: new URLSearchParams(fields).toString() }
  if (form) return { body: form.body }
  if (file) return { body: file.body }
  return json === undefined ? {} : { body: JSON.stringify(json) }
}

/** The upstream quotes tokens that it cannot parse, and its error messages reach API clients. */
export function redactCallSecrets(
  text: string,
  { appSecret }: GraphApp,
  { token, secrets = [] }: Call<unknown>,
): string {
  return [appSecret, token ?? '', ...secrets]
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    .reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
}
