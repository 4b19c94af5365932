import { HubSignatureError } from './errors.ts'
import type { CompatLifecycle, EventPayloads } from './generated/types.gen.ts'

export type DeliveryFormat = 'native' | 'compat'

type RawPayload = { object: string; entry: unknown[]; [name: string]: unknown }
type NormalizedEvent = Exclude<EventPayloads[Exclude<keyof EventPayloads, 'upstream.raw'>], CompatLifecycle>

/**
 * The body of a delivery. `event` tells the kinds apart: it is undefined in what an endpoint of the mode `upstream_raw`
 * gets from the upstream, which has `object`, and in the lifecycle events of a compat endpoint, which have `event_type`.
 * A member that a kind lacks is `never`, not `undefined`, which without `strictNullChecks` is any text.
 */
export type HubEvent =
  | (NormalizedEvent & { event_type?: never; object?: never })
  | (CompatLifecycle & { event?: never; object?: never })
  | (RawPayload & { event?: never; event_type?: never })

/** The headers of a request, as `fetch`, Node and most frameworks have them. */
export type DeliveryHeaders = Headers | Record<string, string | string[] | undefined>

export type VerifyOptions = {
  /** The endpoint's `delivery_format`; the other one is then refused. Both are taken where it is left out. */
  format?: DeliveryFormat | undefined
  /** The largest difference between the signed timestamp and now, 300 by default. The compat format signs none. */
  toleranceSeconds?: number | undefined
  /** The current time in milliseconds, for tests. */
  now?: number | undefined
}

const TOLERANCE_SECONDS = 300
const VERSIONS: Record<DeliveryFormat, string> = { native: 'v2', compat: 'compat-v1' }
/** A map: an object has members such as `constructor`, which a sender could name as the version. */
const FORMATS = new Map(Object.entries(VERSIONS).map(([format, version]) => [version, format as DeliveryFormat]))
const SIGNATURE_HEADERS = ['x-hub-signature-256', 'x-hub-signature-256-previous']
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const encoder = new TextEncoder()

/** One secret, or several while one replaces another. Empty and undefined ones are left out. */
export type WebhookSecrets = string | readonly (string | undefined)[]

/**
 * Resolves to the event if the delivery was signed with one of `secrets`, and rejects with {@link HubSignatureError}
 * otherwise. During the overlap of a rotation a delivery has a signature of each secret, and either is enough.
 * `rawBody` is the body exactly as it arrived: JSON that was parsed and written again has other bytes.
 */
export async function verifyWebhook(
  secrets: WebhookSecrets,
  headers: DeliveryHeaders,
  rawBody: string | Uint8Array | ArrayBuffer,
  options: VerifyOptions = {},
): Promise<HubEvent> {
  const bytes = toBytes(rawBody)
  const keys = await Promise.all(listSecrets(secrets).map((secret) => importKey(secret, 'verify')))
  const format = FORMATS.get(readHeader(headers, 'x-hub-signature-version') ?? '')
  const signatures = SIGNATURE_HEADERS.flatMap((name) => parseSignature(readHeader(headers, name)))
  if (!format || signatures.length === 0) {
    throw createSignatureError('The delivery has no signature that this version of the SDK knows.')
  }
  if (options.format && options.format !== format) {
    throw createSignatureError(`The delivery has the format ${format}, but the endpoint has ${options.format}.`)
  }

  const timestamp = readHeader(headers, 'x-hub-timestamp') ?? ''
  const deliveryId = readHeader(headers, 'x-hub-delivery-id') ?? ''
  // The id is signed together with the body: any text in its place could contain a part of that.
  if (!UUID.test(deliveryId)) throw createSignatureError('The delivery has no id that is a UUID.')
  const signed = toSignedBytes(format, timestamp, deliveryId, bytes)
  if (!(await isSignedWithAny(keys, signatures, signed))) {
    throw createSignatureError('The signature does not match: check the secret, and that the body is raw.')
  }
  if (format === 'native') checkAge(timestamp, options)
  return parseEvent(bytes)
}

function listSecrets(secrets: WebhookSecrets): string[] {
  const given = (typeof secrets === 'string' ? [secrets] : (secrets ?? [])).filter((secret) => secret)
  if (given.length === 0) throw new TypeError('The secret of the endpoint is missing.')
  return given as string[]
}

/** Web Crypto compares in constant time. */
async function isSignedWithAny(
  keys: Awaited<ReturnType<typeof importKey>>[],
  signatures: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature })))
  const checks = pairs.map(({ key, signature }) => crypto.subtle.verify('HMAC', key, signature, signed))
  return (await Promise.all(checks)).includes(true)
}

/** The headers of a delivery, for the tests of a receiver. */
export async function signWebhook(
  secret: string,
  rawBody: string | Uint8Array | ArrayBuffer,
  options: { format?: DeliveryFormat; deliveryId?: string; timestamp?: number } = {},
): Promise<Record<string, string>> {
  const { format = 'native', deliveryId = crypto.randomUUID() } = options
  const timestamp = String(options.timestamp ?? Math.floor(Date.now() / 1000))
  const signed = toSignedBytes(format, timestamp, deliveryId, toBytes(rawBody))
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret, 'sign'), signed))
  return {
    'X-Hub-Delivery-Id': deliveryId,
    'X-Hub-Timestamp': timestamp,
    'X-Hub-Signature-Version': VERSIONS[format],
    'X-Hub-Signature-256': `sha256=${toHex(signature)}`,
  }
}

function toSignedBytes(format: DeliveryFormat, timestamp: string, deliveryId: string, body: Uint8Array<ArrayBuffer>) {
  if (format === 'compat') return body
  const prefix = encoder.encode(`${timestamp}.${deliveryId}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return signed
}

function checkAge(timestamp: string, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions): void {
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp))
  if (ageSeconds <= toleranceSeconds) return
  throw createSignatureError(`The delivery was signed ${Math.round(ageSeconds)} seconds from now: is it a repetition?`)
}

function parseEvent(bytes: Uint8Array): HubEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    throw createSignatureError('The delivery is signed, but its body is no JSON.', cause)
  }
}

/** One value of a header by its name in lower case. A header that came twice has no value. */
function readHeader(headers: DeliveryHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.keys(headers).filter((key) => key.toLowerCase() === name)
  const value = found.length === 1 ? headers[found[0] ?? ''] : undefined
  return typeof value === 'string' ? value : undefined
}

function toBytes(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return encoder.encode(rawBody)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  if (rawBody instanceof Uint8Array) return rawBody as Uint8Array<ArrayBuffer>
  throw new TypeError('The body must be raw, a text or bytes: read it before a JSON parser does.')
}

async function importKey(secret: string, use: 'sign' | 'verify') {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('The secret of the endpoint is missing.')
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

/** A list of one signature; an empty one for a header that is missing or has another form. */
function parseSignature(header: string | undefined): Uint8Array<ArrayBuffer>[] {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  return hex ? [Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))] : []
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function createSignatureError(message: string, cause?: unknown): HubSignatureError {
  return new HubSignatureError({ code: 'INVALID_SIGNATURE', message, cause })
}
