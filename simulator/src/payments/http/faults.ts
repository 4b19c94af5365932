import type { ServerResponse } from 'node:http'
import type { Fault, Faults } from '../../faults.ts'
import { earlyError, type PaymentError } from './errors.ts'

const RATE_LIMITED =
  'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.'

/** The error object of a fault that has one. */
export function toFaultError({ kind, status }: Fault): PaymentError | undefined {
  if (kind === 'throttle') return earlyError(429, RATE_LIMITED, 'invalid_request_error', 'rate_limit')
  if (kind !== 'error') return undefined
  return earlyError(Math.max(500, status), 'An unexpected error occurred. (The simulator injected it.)', 'api_error')
}

/** Breaks the connection or the response as the fault says. Returns false if the response is still to be sent. */
export function injectFault(faults: Faults, { kind, status }: Fault, response: ServerResponse): boolean {
  if (kind.startsWith('reset_')) response.socket?.resetAndDestroy()
  else if (kind.startsWith('hang_')) faults.hold(response)
  else if (kind.startsWith('http')) response.writeHead(status, { 'content-type': 'text/html' }).end('Bad gateway')
  else if (kind === 'garbled_after') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{\n  "id": "')
  } else return false
  return true
}
