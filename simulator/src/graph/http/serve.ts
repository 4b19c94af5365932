import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiResponse, OUTAGE_HTML, serveExchange } from '../../http/exchange.ts'
import { readBody, readUrl } from '../../http/requests.ts'
import { asObject, isObject, type JsonObject, toAsciiJson } from '../../json.ts'
import type { Simulation } from '../../simulation.ts'
import type { Graph } from '../context.ts'
import { DOWNLOAD_PATH, download } from '../media/media.ts'
import { authenticate, findToken, type RequestToken, readToken, requireScope } from './access.ts'
import type { GraphResponse, NodeKind } from './call.ts'
import { GraphError, invalid, missingObject, refusal } from './errors.ts'
import { findNode, isVisible, NODE_TYPES } from './nodes.ts'
import { parseParameters } from './parameters.ts'
import { ITEM_EDGES, ROUTES } from './routes.ts'

const DEFAULT_VERSION = 'v25.0'

interface IncomingCall {
  request: FastifyRequest
  url: URL
  version: string
  /** The path without its version. */
  segments: string[]
  presented: RequestToken
  record: { params: JsonObject }
}

export async function serveGraph(
  simulation: Simulation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { graph } = simulation
  const url = readUrl(request)
  const { version, segments } = parsePath(url.pathname)
  const presented = readToken(request.headers, url.searchParams)
  const record = { path: `/${segments.join('/')}`, version, token_in: presented.location, params: {} }
  const call = { request, url, version, segments, presented, record }
  return serveExchange(simulation, request, reply, {
    record,
    async respond(fault, delay) {
      await delay()
      if (fault?.kind === 'error' || fault?.kind === 'throttle') {
        return toErrorResponse(graph, version, refusal(fault.code))
      }
      const response = await answer(graph, call)
      if (fault?.kind !== 'error_after') return response
      if (typeof response.body !== 'string') response.body.destroy()
      return toErrorResponse(graph, version, refusal(fault.code))
    },
  })
}

async function answer(graph: Graph, call: IncomingCall): Promise<ApiResponse> {
  const { url, version } = call
  try {
    return toResponse(graph, version, await (url.pathname === DOWNLOAD_PATH ? runDownload : run)(graph, call))
  } catch (err) {
    if (!(err instanceof GraphError)) throw err
    return toErrorResponse(graph, version, err)
  }
}

function parsePath(pathname: string): { version: string; segments: string[] } {
  const segments = pathname.split('/').filter(Boolean).map(decode)
  const [version = ''] = segments
  return /^v\d+\.\d+$/.test(version) ? { version, segments: segments.slice(1) } : { version: DEFAULT_VERSION, segments }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A malformed escape is part of an id that does not exist.
    return segment
  }
}

/** Checks in the platform's order: the token, the object, the permission. Only then is the body parsed. */
async function run(graph: Graph, call: IncomingCall): Promise<GraphResponse> {
  const { request, url, version, segments, presented, record } = call
  const { method, headers, raw: stream } = request
  const [id = '', name = '', ...rest] = segments
  // The code exchange authenticates with the app secret and has no token.
  const token =
    id === 'oauth' ? findToken(graph, `${graph.app.id}|${graph.app.secret}`) : authenticate(graph, presented, name)
  const found = findNode(graph, id)
  if (!token || !found || !isVisible(graph, token, found)) throw missingObject(method, id)
  const { kind, node } = found
  const [item = ''] = rest
  const edge = rest.length === 1 && ITEM_EDGES.has(name) ? `${name}/*` : name
  if (rest.length > 0 && edge === name) {
    throw new GraphError(400, { message: `Unknown path components: /${rest.join('/')}`, code: 2500 })
  }
  const route = ROUTES.find((r) => r.kind === kind && r.edge === edge && r.method === method)
  if (!route) throw unknownEdge(method, id, edge, kind)
  if (route.scope) requireScope(token, route.scope)

  const body = route.isRaw ? '' : await readBody(request)
  if (body === undefined) throw new GraphError(413, { message: 'Request Entity Too Large', code: 1 })
  const params = parseParameters(url.searchParams, headers['content-type'] ?? '', body)
  record.params = params
  return { body: await route.run(graph, { method, version, node, item, params, headers, stream, token }) }
}

function unknownEdge(method: string, id: string, edge: string, kind: NodeKind): GraphError {
  if (method !== 'GET' || edge === '') return missingObject(method, id)
  return invalid(`Tried accessing nonexisting field (${edge}) on node type (${NODE_TYPES[kind]})`)
}

/** The download host refuses requests without a User-Agent. */
function runDownload(graph: Graph, { request, url, presented }: IncomingCall): GraphResponse {
  if (request.method !== 'GET') return { status: 405 }
  if (!request.headers['user-agent']) return { status: 400 }
  return download(graph, url.searchParams, presented.location === 'query' ? undefined : presented.value)
}

function toErrorResponse(graph: Graph, version: string, { status, members, beside }: GraphError): ApiResponse {
  return toResponse(graph, version, { status, body: { ...beside, error: members } })
}

function toResponse(graph: Graph, version: string, result: GraphResponse): ApiResponse {
  const { status = 200, headers, body, file } = result
  const trace = `A${graph.random.text(22)}`
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  const traced = error ? { ...asObject(body), error: { ...error, fbtrace_id: trace } } : body
  const json = body === undefined ? undefined : toAsciiJson(traced)
  // Header values are limited to printable ASCII.
  const message = String(error?.message ?? 'Not found').replace(/[^\x20-\x7e]/g, ' ')
  const isRefused = status >= 400 && status < 500
  return {
    status,
    headers: {
      'content-type': json === undefined ? 'text/html; charset=utf-8' : 'application/json; charset=UTF-8',
      'facebook-api-version': version,
      'x-fb-trace-id': trace,
      'x-fb-request-id': `A${graph.random.text(22)}`,
      'x-fb-rev': '1000000000',
      'x-fb-debug': graph.random.text(44),
      ...(isRefused && { 'www-authenticate': `OAuth "Facebook Platform" "invalid_request" "${message}"` }),
      ...headers,
    },
    body: file ?? json ?? (status >= 400 ? OUTAGE_HTML : ''),
  }
}
