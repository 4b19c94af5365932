import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../faults.ts'
import type { RequestRecord } from '../request-log.ts'
import type { Simulation } from '../simulation.ts'
import { readUrl } from './requests.ts'

export const OUTAGE_HTML =
  '<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>'

export interface ApiResponse {
  status: number
  headers: Record<string, string>
  body: string | Readable
}

interface Exchange {
  /** For the request log; the parameters are set once the body is read. */
  record: Pick<RequestRecord, 'path' | 'version' | 'token_in' | 'params'>
  /** `fault` is one that the API has to answer with an error, and `delay` the latency of faults. */
  respond(fault: Fault | undefined, delay: () => Promise<void>): Promise<ApiResponse>
}

/** Serves a request to a simulated API with the fault that is set for it, and logs it. */
export async function serveExchange(
  { faults, graph, log }: Simulation,
  request: FastifyRequest,
  reply: FastifyReply,
  { record, respond }: Exchange,
): Promise<FastifyReply> {
  const { method, raw } = request
  const { latencyMs, fault } = faults.match(method, readUrl(request).pathname)
  const delay = async () => {
    if (latencyMs > 0) await sleep(latencyMs)
  }
  const hasEffect = fault?.kind !== 'http' && !fault?.kind.endsWith('_before')
  if (!hasEffect) await delay()
  const response = applyFault(fault, hasEffect ? await respond(fault, delay) : undefined)
  const status = response?.status ?? null
  log.add({ at: graph.clock.now(), method, ...record, status, fault: fault?.kind ?? null })
  // An unread body would block the next request of a keep-alive connection.
  if (!raw.complete) raw.resume()
  if (response) {
    const { body, headers } = response
    // Fastify adds a charset to the content type of a text, but not to that of bytes.
    return reply
      .code(response.status)
      .headers(headers)
      .send(typeof body === 'string' ? Buffer.from(body) : body)
  }
  reply.hijack()
  if (fault?.kind.startsWith('hang_')) faults.hold(reply.raw)
  else raw.socket.resetAndDestroy()
  return reply
}

/** The response that the client gets; undefined if it gets none. */
function applyFault(fault: Fault | undefined, response: ApiResponse | undefined): ApiResponse | undefined {
  if (fault === undefined) return response
  const { kind, status } = fault
  if (kind.startsWith('reset_') || kind.startsWith('hang_')) return undefined
  if (kind.startsWith('http')) return { status, headers: { 'content-type': 'text/html' }, body: OUTAGE_HTML }
  if (kind !== 'garbled_after') return response
  return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":"' }
}
