import { isUuid } from '../../kernel/ids.ts'
import { listPossibleKinds, parseTarget } from '../facade/allowlist/allowlist.ts'

const FACADE_ROUTES = ['/upstream/*', '/graph/*']

/** A request as far as its path is concerned. `route` is the pattern, and `url` may have a query string. */
export type RoutedRequest = { method: string; route: string; url: string; status: number }

/**
 * The route and the path that the log shows. A path is built from the pattern of its route, and takes only ids from the
 * URL: a client may put a phone number, a token or an address where an id belongs. What is not an id stays a parameter of
 * the pattern.
 */
export function describePath(request: RoutedRequest): { route: string; path: string } {
  if (FACADE_ROUTES.includes(request.route)) return describeFacadePath(request)
  const { route } = request
  if (!route.includes(':')) return { route, path: route }
  const given = cutQuery(request.url).split('/')
  const segments = route.split('/')
  const path = segments.map((segment, i) => (segment.startsWith(':') && isUuid(given[i] ?? '') ? given[i] : segment))
  return { route, path: path.join('/') }
}

/**
 * Ids of the upstream have as many digits as phone numbers, and clients confuse the two. The id of an accepted request is
 * one of the channel's.
 */
function describeFacadePath({ method, route: wildcard, url, status }: RoutedRequest): { route: string; path: string } {
  const target = parseTarget(url)
  if (!target || listPossibleKinds(method, target).length === 0) return { route: wildcard, path: wildcard }
  const { mount, id, edge } = target
  const route = [`/${mount}`, ...(id && [':id']), ...(edge && [edge.replace('{code}', ':code')])].join('/')
  return { route, path: status < 400 ? cutQuery(url) : route }
}

function cutQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
