import { HubSignatureError, signWebhook, verifyWebhook } from '@hubline/sdk'
import { DELIVERY_FORMATS, SIGNATURE_VERSIONS } from '../../../api/generated/definitions.gen.ts'

export type Pasted = { headers: string; body: string; secret: string; format: Format | undefined }
export type Format = (typeof DELIVERY_FORMATS)[number]
type Cause = 'causeTrimmed' | 'causeFormatted' | 'causeSecret' | 'causeOther' | 'causeUnknown'

/** The checks of a receiver, in their order. Undefined marks one that it does not reach. */
export type Checked = {
  isAccepted: boolean
  version: { format: Format; version: string } | { refused: 'versionMissing' | 'versionOther'; format?: Format }
  isFormed: boolean
  signature?: { isRight: true } | { isRight: false; expected: string; cause: Cause }
  /** Seconds from now; null in a format that signs none. */
  ageSeconds?: number | null
  event?: string | undefined
  isJson: boolean
}

const FORMATS = new Map<string, Format>(DELIVERY_FORMATS.map((format) => [SIGNATURE_VERSIONS[format], format]))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Each line is a header; what is no header is left out. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text
    .split('\n')
    .map((line) => /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line))
    .flatMap((match) => (match ? [[(match[1] ?? '').toLowerCase(), match[2] ?? ''] as const] : []))
  return Object.fromEntries(pairs)
}

/** Judges a delivery with the function that receivers use, and looks for the reason where it refuses. */
export async function checkDelivery({ headers: text, body, secret, format: expected }: Pasted): Promise<Checked> {
  const headers = parseHeaders(text)
  const version = headers['x-hub-signature-version'] ?? ''
  const format = FORMATS.get(version)
  const isFormed =
    /^sha256=[0-9a-f]{64}$/.test(headers['x-hub-signature-256'] ?? '') && UUID.test(headers['x-hub-delivery-id'] ?? '')
  const isJson = readEvent(body) !== undefined
  const isAccepted = await isVerified(secret, headers, body, expected)
  if (!format) return { isAccepted, version: { refused: 'versionMissing' }, isFormed, isJson }
  const judged = expected && expected !== format ? { refused: 'versionOther' as const, format } : { format, version }
  if (!isFormed) return { isAccepted, version: judged, isFormed, isJson }
  return {
    isAccepted,
    version: judged,
    isFormed,
    signature: await checkSignature(secret, headers, body, format),
    ageSeconds: format === 'native' ? readAge(headers['x-hub-timestamp']) : null,
    event: readEvent(body),
    isJson,
  }
}

/** A timestamp that is no number is as far from now as can be. */
function readAge(timestamp: string | undefined): number {
  const ageSeconds = Math.round(Date.now() / 1000 - Number(timestamp))
  return Number.isNaN(ageSeconds) ? Number.POSITIVE_INFINITY : ageSeconds
}

/** `now` is the time of the signature where only the signature matters. */
async function isVerified(
  secret: string,
  headers: Record<string, string>,
  body: string,
  format: Format | undefined,
  now?: number,
): Promise<boolean> {
  try {
    await verifyWebhook(secret, headers, body, { format, now })
    return true
  } catch (err) {
    if (err instanceof HubSignatureError && err.cause === undefined) return false
    // Signed, but no JSON: that is another check's.
    if (err instanceof HubSignatureError) return now !== undefined
    throw err
  }
}

async function checkSignature(
  secret: string,
  headers: Record<string, string>,
  body: string,
  format: Format,
): Promise<NonNullable<Checked['signature']>> {
  const signedAt = Number(headers['x-hub-timestamp']) * 1000
  const now = Number.isFinite(signedAt) ? signedAt : Date.now()
  const isRight = (key: string, text: string, given = headers) => isVerified(key, given, text, undefined, now)
  if (await isRight(secret, body)) return { isRight: true }
  const other = format === 'native' ? 'compat' : 'native'
  const attempts: [Cause, () => Promise<boolean>][] = [
    ['causeSecret', () => isRight(secret.trim(), body)],
    ['causeTrimmed', () => isRight(secret, body.trim())],
    ['causeFormatted', () => isRight(secret, writeOnOneLine(body))],
    ['causeOther', () => isRight(secret, body, { ...headers, 'x-hub-signature-version': SIGNATURE_VERSIONS[other] })],
  ]
  let cause: Cause = 'causeUnknown'
  for (const [name, attempt] of attempts) {
    if (cause === 'causeUnknown' && (await attempt())) cause = name
  }
  const deliveryId = headers['x-hub-delivery-id'] ?? ''
  const signed = await signWebhook(secret, body, { format, deliveryId, timestamp: Number(headers['x-hub-timestamp']) })
  return { isRight: false, expected: signed['X-Hub-Signature-256'] ?? '', cause }
}

function writeOnOneLine(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}

/** Returns the kind of event of a body; undefined if it is no JSON. */
function readEvent(body: string): string | undefined {
  try {
    const parsed = JSON.parse(body)
    return parsed?.event ?? parsed?.event_type ?? parsed?.object ?? 'JSON'
  } catch {
    return undefined
  }
}
