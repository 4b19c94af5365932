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

const OUTAGE_HTML =
  '<!DOCTYPE html><html><head><title>Error</title></head><body>Sorry, something went wrong.</body></html>'

interface Parts {
  graph: Graph
  faults: Faults
  log: RequestLog
}

/** Serves one request, with the fault that is configured for it. */
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
  }
  const { latencyMs, fault } = faults.match(incoming.method, url.pathname)
  if (latencyMs > 0) await sleep(latencyMs)
  const result = buildFaultResponse(fault) ?? (await respond(graph, incoming, url.pathname))
  const isSent = fault === undefined || applyFault(faults, fault, response)
  parts.log.add({
    at: graph.clock.now(),
    method: incoming.method,
    path: `/${incoming.path.segments.join('/')}`,
    version: incoming.path.version,
    token_in: incoming.presented.location,
    params: incoming.params,
    status: isSent ? (result.status ?? 200) : response.headersSent ? response.statusCode : null,
    fault: fault?.kind ?? null,
  })
  if (isSent) send(graph, incoming, response, result)
  // An unread body would block the next request of a keep-alive connection.
  if (!request.complete) request.resume()
}

/** The response of a fault that replaces the platform's. */
function buildFaultResponse(fault: Fault | undefined): GraphResponse | undefined {
  if (fault?.kind === 'http') return { status: fault.status }
  if (fault?.kind === 'error' || fault?.kind === 'throttle') return toErrorResponse(refusal(fault.code))
  // The request has no effect, and this response is not sent.
  if (fault?.kind === 'reset_before' || fault?.kind === 'hang_before') return { status: 0 }
  return undefined
}

async function respond(graph: Graph, incoming: IncomingCall, pathname: string): Promise<GraphResponse> {
  try {
    if (pathname === DOWNLOAD_PATH) return respondDownload(graph, incoming)
    return await dispatch(graph, incoming)
  } catch (err) {
    if (err instanceof GraphError) return toErrorResponse(err)
    throw err
  }
}

/** The download host refuses requests without a User-Agent. */
function respondDownload(graph: Graph, incoming: IncomingCall): GraphResponse {
  if (incoming.method !== 'GET') return { status: 405 }
  if (!incoming.request.headers['user-agent']) return { status: 400 }
  const { location, value } = incoming.presented
  return download(graph, incoming.query, location === 'query' ? undefined : value)
}

function toErrorResponse(err: GraphError): GraphResponse {
  return { status: err.status, body: { error: err.members } }
}

/** Applies a fault to the connection. Returns whether the response is still sent. */
function applyFault(faults: Faults, fault: Fault, response: ServerResponse): boolean {
  if (fault.kind.startsWith('reset_')) response.socket?.resetAndDestroy()
  else if (fault.kind.startsWith('hang_')) faults.hold(response)
  else if (fault.kind === 'http_after')
    response.writeHead(fault.status, { 'content-type': 'text/html' }).end(OUTAGE_HTML)
  else if (fault.kind === 'garbled_after') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"messaging_product":"whatsapp","con')
  } else return true
  return false
}

function send(graph: Graph, incoming: IncomingCall, response: ServerResponse, result: GraphResponse): void {
  const status = result.status ?? 200
  const trace = `A${graph.random.text(22)}`
  const json = result.body === undefined ? undefined : toAsciiJson(addTrace(result, trace))
  const body = json ?? (status >= 400 ? OUTAGE_HTML : '')
  response.writeHead(status, {
    'content-type': json === undefined ? 'text/html; charset=utf-8' : 'application/json; charset=UTF-8',
    'content-length': String(Buffer.byteLength(body)),
    'facebook-api-version': incoming.path.version,
    'x-fb-trace-id': trace,
    'x-fb-request-id': `A${graph.random.text(22)}`,
    'x-fb-rev': '1000000000',
    'x-fb-debug': graph.random.text(44),
    ...(status >= 400 && status < 500 ? { 'www-authenticate': buildAuthenticateHeader(result) } : {}),
    ...result.headers,
  })
  if (result.stream) result.stream.pipe(response)
  else response.end(body)
}

function addTrace(result: GraphResponse, trace: string) {
  const body = result.body
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('error' in body)) return body
  return { error: { ...(body.error as object), fbtrace_id: trace } }
}

function buildAuthenticateHeader(result: GraphResponse): string {
  const body = result.body as { error?: { message?: string } } | undefined
  // Header values are limited to printable ASCII.
  const message = (body?.error?.message ?? 'Not found').replace(/[^\x20-\x7e]/g, ' ')
  return `OAuth "Facebook Platform" "invalid_request" "${message}"`
}
