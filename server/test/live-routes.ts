import type { FastifyInstance, HTTPMethods } from 'fastify'
import { DASHBOARD_PAGES } from '../src/app/http/dashboard-addresses.ts'

const LINE = /^((?:│ {3}| {4})*)[├└]── (.*?) \(([A-Z, ]+)\)$/
const INDENT = 4
/** The router prints a wildcard without its prefix. */
const WILDCARDS = ['/upstream/*', '/graph/*', ...DASHBOARD_PAGES.filter((path) => path.endsWith('*'))]

/** Every route that the running server answers, as `METHOD /path`, read from the router itself. */
export function liveRoutes(app: FastifyInstance): string[] {
  const above: string[] = []
  const routes = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [, indent, part, methods] = LINE.exec(line) ?? []
      if (indent === undefined || part === undefined || methods === undefined) {
        throw new Error(`The router printed an unexpected line: ${line}`)
      }
      const depth = indent.length / INDENT
      above.length = depth
      above[depth] = part
      // A wildcard below a route that has none stands without its slash.
      const path = above.join('').replace(/(?<=[^/])\*$/, '/*')
      return methods
        .split(', ')
        .filter((method) => method !== 'HEAD')
        .flatMap((method) => listPaths(app, method, path).map((found) => `${method} ${found}`))
    })
  return [...new Set(routes)]
}

function listPaths(app: FastifyInstance, method: string, path: string): string[] {
  if (path !== '/*') return [path]
  return WILDCARDS.filter((url) => app.hasRoute({ method: method as HTTPMethods, url }))
}

/** The routes with access control. */
export function guardedRoutes(app: FastifyInstance): string[] {
  return liveRoutes(app).filter((route) => /^[A-Z]+ \/(api\/v1|console|graph|upstream)(\/|$)/.test(route))
}
