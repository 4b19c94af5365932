import type { FastifyRequest } from 'fastify'
import { toGraphError } from '../../domains/facade/graph/errors.ts'
import { isGraphRequest, prepareGraphRequest } from '../../domains/facade/graph/tokens.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { RefusedRequest } from '../../kernel/http/error-handler.ts'
import { getHostName } from '../../kernel/net/addresses.ts'

/** A load balancer asks each of its targets for this path, under any name. */
const HEALTH = /^(?:GET|HEAD) \/health(?:\?|$)/

/** Moves the requests to the host of `GRAPH_URL` below `/graph`, and cuts the tokens from the addresses there. */
export function createGraphAddress(graphUrl: string | undefined) {
  const graphHost = graphUrl === undefined ? undefined : getHostName(new URL(graphUrl))
  return (request: RefusedRequest['raw'], readHost: () => string | undefined): void => {
    const { method = '', url = '' } = request
    const isMoved = graphHost !== undefined && !HEALTH.test(`${method} ${url}`) && readHost() === graphHost
    // An address in another form is no path of `/graph` either.
    if (isMoved) request.url = url.startsWith('/') ? `/graph${url}` : `/graph/${url}`
    prepareGraphRequest(request)
  }
}

/** Every request to `/graph` fails as at Meta, also one that a limit or the router refuses. */
export function formatGraphError(request: RefusedRequest, error: AppError) {
  const { id, raw } = request
  const { method = '', url = '' } = raw
  if (!isGraphRequest(raw)) return undefined
  const { principal } = request as Partial<FastifyRequest>
  const isAuthenticated = principal !== undefined && principal !== null
  return toGraphError({ id, method, url, isAuthenticated }, error)
}
