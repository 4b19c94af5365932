import type { IncomingMessage } from 'node:http'
import { parseParameters, readBody } from '../../http/parameters.ts'
import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { authenticate, findToken, type RequestToken, requireScope } from './access.ts'
import type { GraphResponse } from './call.ts'
import { GraphError, invalid, missingObject } from './errors.ts'
import { findNode, isVisible, NODE_TYPES, type Node } from './nodes.ts'
import { ROUTES } from './routes.ts'

/** A path without its version prefix, and the API version. */
export interface GraphPath {
  version: string
  segments: string[]
}

export interface IncomingCall {
  method: string
  path: GraphPath
  query: URLSearchParams
  presented: RequestToken
  request: IncomingMessage
  /** Set while the request is handled, for the request log. */
  params: JsonObject
}

const DEFAULT_VERSION = 'v25.0'

export function parsePath(pathname: string): GraphPath {
  const segments = pathname.split('/').filter(Boolean).map(decoded)
  if (!/^v\d+\.\d+$/.test(segments[0] ?? '')) return { version: DEFAULT_VERSION, segments }
  return { version: segments[0] ?? DEFAULT_VERSION, segments: segments.slice(1) }
}

/** Checks in the platform's order: the token, the object, the permission. Only then is the body parsed. */
export async function dispatch(graph: Graph, incoming: IncomingCall): Promise<GraphResponse> {
  const { method, path, query, presented, request } = incoming
  const [id = '', edge = '', ...rest] = path.segments
  // The code exchange authenticates with the app secret and has no token.
  const token =
    id === 'oauth' ? findToken(graph, `${graph.app.id}|${graph.app.secret}`) : authenticate(graph, presented, edge)
  const node = findNode(graph, id)
  if (!token || !node || !isVisible(graph, token, node)) throw missingObject(method, id)
  if (rest.length > 0) throw unknownPath(rest)
  const route = ROUTES.find((r) => r.node === node.kind && r.edge === edge && r.method === method)
  if (!route) throw unknownEdge(method, id, edge, node)
  if (route.scope) requireScope(token, route.scope)

  const body = route.isRaw ? Buffer.alloc(0) : await readBody(request)
  if (!body) throw new GraphError(413, { message: 'Request Entity Too Large', code: 1 })
  incoming.params = parseParameters(query, request.headers['content-type'] ?? '', body)
  const { params } = incoming
  return route.run(graph, {
    method,
    version: path.version,
    id,
    params,
    headers: request.headers,
    stream: request,
    token,
  })
}

function unknownEdge(method: string, id: string, edge: string, node: Node): GraphError {
  if (method !== 'GET' || edge === '') return missingObject(method, id)
  return invalid(`Tried accessing nonexisting field (${edge}) on node type (${NODE_TYPES[node.kind]})`)
}

function unknownPath(rest: string[]): GraphError {
  return new GraphError(400, { message: `Unknown path components: /${rest.join('/')}`, code: 2500 })
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A malformed escape is part of an id that does not exist.
    return segment
  }
}
