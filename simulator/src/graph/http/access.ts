import type { IncomingHttpHeaders } from 'node:http'
import type { Graph } from '../context.ts'
import type { Token } from '../model.ts'
import { GraphError, invalidToken, refusal } from './errors.ts'

export type TokenLocation = 'bearer' | 'oauth' | 'query' | 'none'

export interface RequestToken {
  value: string | undefined
  location: TokenLocation
}

/** The platform accepts a token in the header or in the query. */
export function readToken(headers: IncomingHttpHeaders, query: URLSearchParams): RequestToken {
  const header = /^(Bearer|OAuth)\s+(\S+)$/i.exec(headers.authorization ?? '')
  if (header) return { value: header[2], location: header[1]?.toLowerCase() === 'oauth' ? 'oauth' : 'bearer' }
  const value = query.get('access_token')
  return value ? { value, location: 'query' } : { value: undefined, location: 'none' }
}

export function authenticate(graph: Graph, presented: RequestToken, edge: string): Token {
  if (presented.value === undefined) throw missingToken(edge)
  const token = findToken(graph, presented.value)
  if (!token) throw invalidToken('Invalid OAuth access token - Cannot parse access token')
  const problem = findTokenProblem(graph, token)
  if (problem) throw invalidToken(problem.message, problem.subcode)
  return token
}

/** The app token is the app's id and secret. It is not stored and does not expire. */
export function findToken(graph: Graph, value: string): Token | undefined {
  if (value !== `${graph.app.id}|${graph.app.secret}`) return graph.state.tokens.get(value)
  return {
    value,
    kind: 'app',
    wabaIds: [],
    scopes: [],
    issuedAt: 0,
    expiresAt: 0,
    revokedSubcode: undefined,
    userId: '',
  }
}

export function findTokenProblem(graph: Graph, token: Token): { message: string; subcode: number } | undefined {
  const now = graph.clock.now()
  if (token.revokedSubcode !== undefined) {
    const message =
      'Error validating access token: The session has been invalidated because the user changed the session.'
    return { message, subcode: token.revokedSubcode }
  }
  if (token.expiresAt === 0 || now < token.expiresAt) return undefined
  const [expired, current] = [token.expiresAt, now].map((time) => new Date(time).toUTCString())
  const message = `Error validating access token: Session has expired on ${expired}. The current time is ${current}.`
  return { message, subcode: 463 }
}

export function requireScope(token: Token, scope: string): void {
  if (token.kind === 'system_user' && !token.scopes.includes(scope)) throw refusal(10)
}

function missingToken(edge: string): GraphError {
  if (edge === 'whatsapp_business_profile') {
    return new GraphError(403, { message: '(#200) Provide valid app ID', code: 200 })
  }
  return new GraphError(401, { message: 'An access token is required to request this resource.', code: 104 })
}
