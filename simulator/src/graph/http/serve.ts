import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Faults } from '../../faults.ts'
import { toAsciiJson } from '../../json.ts'
import type { RequestLog } from '../../request-log.ts'
import type { Graph } from '../context.ts'
import { DOWNLOAD_PATH, download } from '../media/media.ts'
import { readToken } from './access.ts'
import type { GraphResponse } from './call.ts'
import { dispatch, type IncomingCall, parsePath } from './dispatch.ts'
import { GraphError, refusal } from './errors.ts'

const OUTAGE = '<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>'

interface Parts {
  graph: Graph
  faults: Faults
  log: RequestLog
}

/** One request from the door to the answer, with whatever fault was ordered for it. */
export async function serveGraph(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { graph, faults } = parts
  const url = new URL(request.url ?? '/', graph.url())
  const incoming: IncomingCall = {
    method: request.method ?? 'GET',
    path: parsePath(url.pathname),
    query: url.searchParams,
    presented: readToken(request.headers, url.searchParams),
    request,
    params: {},
    usage: undefined,
  }
  const { latencyMs, fault } = faults.strike(incoming.method, url.pathname)
  if (latencyMs > 0) await sleep(latencyMs)
  const answer = ordered(fault) ?? (await answered(graph, incoming, url.pathname))
  const isDelivered = fault === undefined || deliverFault(faults, fault, response)
  parts.log.add({
    at: graph.clock.now(),
    method: incoming.method,
    path: `/${incoming.path.segments.join('/')}`,
    version: incoming.path.version,
    token_in: incoming.presented.place,
    params: incoming.params,
    status: isDelivered ? (answer.status ?? 200) : response.headersSent ? response.statusCode : null,
    fault: fault?.kind ?? null,
  })
  if (isDelivered) send(graph, incoming, response, answer)
  // Unread bytes of a refused upload would otherwise keep the connection busy.
  if (!request.complete) request.resume()
}

/** The answer that a fault gives in place of the platform. */
function ordered(fault: Fault | undefined): GraphResponse | undefined {
  if (fault?.kind === 'http') return { status: fault.status }
  if (fault?.kind === 'error' || fault?.kind === 'throttle') return failed(refusal(fault.code))
  // The request never gets in: this answer is not sent.
  if (fault?.kind === 'reset_before' || fault?.kind === 'hang_before') return { status: 0 }
  return undefined
}

async function answered(graph: Graph, incoming: IncomingCall, pathname: string): Promise<GraphResponse> {
  try {
    if (pathname === DOWNLOAD_PATH) return downloaded(graph, incoming)
    return await dispatch(graph, incoming)
  } catch (err) {
    if (err instanceof GraphError) return failed(err)
    throw err
  }
}

/** The download host turns away programs that do not say what they are. */
function downloaded(graph: Graph, incoming: IncomingCall): GraphResponse {
  if (incoming.method !== 'GET') return { status: 405 }
  if (!incoming.request.headers['user-agent']) return { status: 400 }
  const { place, value } = incoming.presented
  return download(graph, incoming.query, place === 'query' ? undefined : value)
}

function failed(err: GraphError): GraphResponse {
  return { status: err.status, body: { error: err.members } }
}

/** Does to the connection what the fault demands, and says whether an answer still goes out. */
function deliverFault(faults: Faults, fault: Fault, response: ServerResponse): boolean {
  if (fault.kind.startsWith('reset_')) response.socket?.resetAndDestroy()
  else if (fault.kind.startsWith('hang_')) faults.hold(response)
  else if (fault.kind === 'http_after') response.writeHead(fault.status, { 'content-type': 'text/html' }).end(OUTAGE)
  else if (fault.kind === 'garbled_after') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"messaging_product":"whatsapp","con')
  } else return true
  return false
}

function send(graph: Graph, incoming: IncomingCall, response: ServerResponse, answer: GraphResponse): void {
  const status = answer.status ?? 200
  const trace = `A${graph.random.text(22)}`
  const json = answer.body === undefined ? undefined : toAsciiJson(traced(answer, trace))
  const body = json ?? (status >= 400 ? OUTAGE : '')
  response.writeHead(status, {
    'content-type': json === undefined ? 'text/html; charset=utf-8' : 'application/json; charset=UTF-8',
    'content-length': String(Buffer.byteLength(body)),
    'facebook-api-version': incoming.path.version,
    'x-fb-trace-id': trace,
    'x-fb-request-id': `A${graph.random.text(22)}`,
    'x-fb-rev': '1000000000',
    'x-fb-debug': graph.random.text(44),
    ...(incoming.usage === undefined ? {} : { 'x-business-use-case-usage': incoming.usage }),
    ...(status >= 400 && status < 500 ? { 'www-authenticate': authenticateHeader(answer) } : {}),
    ...answer.headers,
  })
  if (answer.stream) answer.stream.pipe(response)
  else response.end(body)
}

function traced(answer: GraphResponse, trace: string) {
  const body = answer.body
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('error' in body)) return body
  return { error: { ...(body.error as object), fbtrace_id: trace } }
}

function authenticateHeader(answer: GraphResponse): string {
  const body = answer.body as { error?: { message?: string } } | undefined
  // A header line cannot carry what a message may contain.
  const message = (body?.error?.message ?? 'Not found').replace(/[^\x20-\x7e]/g, ' ')
  return `OAuth "Facebook Platform" "invalid_request" "${message}"`
}
