import {
  buildRequestHeaders,
  buildUserAgent,
  type DeliveryRequest,
} from '../../domains/webhooks/attempts/delivery-request.ts'
import { type SendResult, toStatusErrorCode } from '../../domains/webhooks/attempts/send-result.ts'
import type { Sender } from '../../domains/webhooks/attempts/sender.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Lookup } from '../../kernel/net/lookup.ts'
import { VERSION } from '../../kernel/version.ts'
import type { Chance } from './chance.ts'

/** Two programs of the agency. Nobody can have these names, so that nothing of the sample data ever leaves the machine. */
export const CRM_URL = 'https://crm.agenciasol.example/hooks/hubline'
export const STOCK_URL = 'https://estoque.agenciasol.example/webhooks'
/** The log shows an address for documentation, RFC 5737. The check of a destination wants a public one, which nothing connects to. */
const ADDRESS = '203.0.113.20'
const PUBLIC_ADDRESS = '1.1.1.1'

export const lookupSample: Lookup = async () => [{ address: PUBLIC_ADDRESS, family: 4 }]

export type Receivers = Sender & { setStockUp: (isUp: boolean) => void }

/** Answers in place of the two programs. The CRM refuses places, for good; the stock has bad hours. */
export function createReceivers({ now, chance }: { now: Clock; chance: Chance }): Receivers {
  const userAgent = buildUserAgent(VERSION)
  let isStockUp = true

  function answer({ url, payload }: DeliveryRequest): { status: number | null; body: string } {
    if (url === STOCK_URL && !isStockUp) {
      return chance.is(0.3) ? { status: null, body: '' } : { status: 503, body: '<h1>Service Unavailable</h1>' }
    }
    const isPlace = url === CRM_URL && payload.includes('"type":"location"')
    return isPlace
      ? { status: 422, body: '{"error":"unknown message type: location"}' }
      : { status: 200, body: '{"ok":true}' }
  }

  return {
    async send(request): Promise<SendResult> {
      const { status, body } = answer(request)
      const totalMs = status === null ? 10_000 : chance.between(35, 240)
      const errorCode = status === null ? 'TIMEOUT' : toStatusErrorCode(status)
      return {
        ok: errorCode === null,
        httpStatus: status,
        errorCode,
        retryAfterSeconds: null,
        requestHeaders: buildRequestHeaders(request, userAgent, now()),
        responseHeaders: status === null ? {} : { 'content-type': status === 503 ? 'text/html' : 'application/json' },
        responseBody: Buffer.from(body),
        address: ADDRESS,
        timings: { dnsMs: 1, connectMs: 12, firstByteMs: status === null ? null : totalMs - 15, totalMs },
      }
    },

    setStockUp(isUp) {
      isStockUp = isUp
    },

    async [Symbol.asyncDispose]() {},
  }
}
