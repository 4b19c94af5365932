import type { IncomingHttpHeaders } from 'node:http'
import { API_VERSION } from '../objects/event.ts'
import { early, type PaymentError } from './errors.ts'

/** Versions of one name only add to each other, so that any of them can read what this double prints. */
const VERSION_NAME = API_VERSION.split('.')[1]

/** The key comes as a bearer token, or as the user name of basic authentication. */
export function checkKey({ authorization }: IncomingHttpHeaders, secretKey: string): void {
  const [, scheme = '', value = ''] = /^(\w+)\s+(\S+)$/.exec(authorization ?? '') ?? []
  const key = scheme.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value
  if (key === '') throw unauthorized(NO_KEY)
  if (key !== secretKey) throw unauthorized(`Invalid API Key provided: ${blotted(key)}`)
}

export function versionOf(headers: IncomingHttpHeaders): string {
  const given = headers['stripe-version']
  const version = typeof given === 'string' ? given : API_VERSION
  if (version.endsWith(`.${VERSION_NAME}`)) return version
  const message = `Invalid Stripe API version: ${version}. The simulator speaks ${API_VERSION} only.`
  throw early(400, { message, type: 'invalid_request_error' })
}

const NO_KEY =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/."

function unauthorized(message: string): PaymentError {
  return early(401, { message, type: 'invalid_request_error' })
}

function blotted(key: string): string {
  return key.length < 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`
}
