import type { ServerResponse } from 'node:http'
import type { Fault, Faults } from '../../faults.ts'
import { early, type PaymentError } from './errors.ts'

const THROTTLED = 'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.'

/** The refusal that a fault stands for, in the provider's own form. */
export function refusalFor({ kind, status }: Fault): PaymentError | undefined {
  if (kind === 'throttle') return early(429, { message: THROTTLED, type: 'invalid_request_error', code: 'rate_limit' })
  if (kind !== 'error') return undefined
  const message = 'An unexpected error occurred. (It was ordered from the simulator.)'
  return early(Math.max(500, status), { message, type: 'api_error' })
}

/** The request never gets in, and no answer comes out. */
export function isKeptOut({ kind }: Fault): boolean {
  return kind === 'reset_before' || kind === 'hang_before'
}

/** Does to the connection what the fault demands, and says whether an answer still goes out. */
export function deliverFault(faults: Faults, { kind, status }: Fault, response: ServerResponse): boolean {
  if (kind.startsWith('reset_')) response.socket?.resetAndDestroy()
  else if (kind.startsWith('hang_')) faults.hold(response)
  else if (kind === 'http_after') response.writeHead(status, { 'content-type': 'text/html' }).end('Bad gateway')
  else if (kind === 'garbled_after') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{\n  "id": "')
  } else return true
  return false
}
