import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Faults } from '../faults.ts'
import { asciiJson } from '../json.ts'
import type { RequestLog } from '../request-log.ts'
import { presentedToken } from './access.ts'
import type { Answer } from './call.ts'
import type { Graph } from './context.ts'
import { dispatch, graphPath, type Visit } from './dispatch.ts'
import { GraphError, refusal } from './errors.ts'
import { DOWNLOAD_PATH, download } from './media.ts'

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
  const visit: Visit = {
    method: request.method ?? 'GET',
    path: graphPath(url.pathname),
    query: url.searchParams,
    presented: presentedToken(request.headers, url.searchParams),
    request,
    params: {},
    usage: undefined,
  }
  const { latencyMs, fault } = faults.strike(visit.method, url.pathname)
  if (latencyMs > 0) await sleep(latencyMs)
  const answer = ordered(fault) ?? (await answered(graph, visit, url.pathname))
  const isDelivered = fault === undefined || deliverFault(faults, fault, response)
  parts.log.add({
    at: graph.clock.now(),
    method: visit.method,
    path: `/${visit.path.segments.join('/')}`,
    version: visit.path.version,
    token_in: visit.presented.place,
    params: visit.params,
    status: isDelivered ? (answer.status ?? 200) : response.headersSent ? response.statusCode : null,
    fault: fault?.kind ?? null,
  })
  if (isDelivered) send(graph, visit, response, answer)
  // Unread bytes of a refused upload would otherwise keep the connection busy.
  if (!request.complete) request.resume()
}

/** The answer that a fault gives in place of the platform. */
function ordered(fault: Fault | undefined): Answer | undefined {
  if (fault?.kind === 'http') return { status: fault.status }
  if (fault?.kind === 'error' || fault?.kind === 'throttle') return failed(refusal(fault.code))
  // The request never gets in: this answer is not sent.
  if (fault?.kind === 'reset_before' || fault?.kind === 'hang_before') return { status: 0 }
  return undefined
}

async function answered(graph: Graph, visit: Visit, pathname: string): Promise<Answer> {
  try {
    if (pathname === DOWNLOAD_PATH) return downloaded(graph, visit)
    return await dispatch(graph, visit)
  } catch (err) {
    if (err instanceof GraphError) return failed(err)
    throw err
  }
}

/** The download host turns away programs that do not say what they are. */
function downloaded(graph: Graph, visit: Visit): Answer {
  if (visit.method !== 'GET') return { status: 405 }
  if (!visit.request.headers['user-agent']) return { status: 400 }
  const { place, value } = visit.presented
  return download(graph, visit.query, place === 'query' ? undefined : value)
}

function failed(err: GraphError): Answer {
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

function send(graph: Graph, visit: Visit, response: ServerResponse, answer: Answer): void {
  const status = answer.status ?? 200
  const trace = `A${graph.random.text(22)}`
  const json = answer.body === undefined ? undefined : asciiJson(traced(answer, trace))
  const body = json ?? (status >= 400 ? OUTAGE : '')
  response.writeHead(status, {
    'content-type': json === undefined ? 'text/html; charset=utf-8' : 'application/json; charset=UTF-8',
    'content-length': String(Buffer.byteLength(body)),
    'facebook-api-version': visit.path.version,
    'x-fb-trace-id': trace,
    'x-fb-request-id': `A${graph.random.text(22)}`,
    'x-fb-rev': '1000000000',
    'x-fb-debug': graph.random.text(44),
    ...(visit.usage === undefined ? {} : { 'x-business-use-case-usage': visit.usage }),
    ...(status >= 400 && status < 500 ? { 'www-authenticate': authenticateHeader(answer) } : {}),
    ...answer.headers,
  })
  if (answer.stream) answer.stream.pipe(response)
  else response.end(body)
}

function traced(answer: Answer, trace: string) {
  const body = answer.body
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('error' in body)) return body
  return { error: { ...(body.error as object), fbtrace_id: trace } }
}

function authenticateHeader(answer: Answer): string {
  const body = answer.body as { error?: { message?: string } } | undefined
  // A header line cannot carry what a message may contain.
  const message = (body?.error?.message ?? 'Not found').replace(/[^\x20-\x7e]/g, ' ')
  return `OAuth "Facebook Platform" "invalid_request" "${message}"`
}
