import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { hashToken } from '../../kernel/crypto/tokens.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { addSyncHook } from '../../kernel/http/sync-hook.ts'
import { isLoopbackAddress, isLoopbackHost, readHostName } from '../../kernel/net/addresses.ts'

const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Of the process, not of a hub: its timers and observers cannot be stopped, so they are started once. */
let processMetrics: Registry | undefined

type MetricsOptions = {
  metricsToken: string | undefined
  /** The names under which this hub is reached, besides those of loopback. */
  hostNames: readonly string[]
}

/** Measures every request, and serves the metrics at `/metrics`. No label contains a tenant. */
export function installMetrics(app: FastifyInstance, options: MetricsOptions): Registry {
  const registry = new Registry()
  processMetrics ??= startProcessMetrics()
  const registries = [processMetrics, registry]
  const durations = new Histogram({
    name: 'hubline_http_request_duration_seconds',
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  addSyncHook(app, 'onResponse', (request, reply) => {
    const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(request, options)
    return reply.type(registry.contentType).send(await Registry.merge(registries).metrics())
  })
  return registry
}

function startProcessMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/**
 * Requires the token if one is configured, and otherwise a request from this machine that no proxy forwarded and that
 * names this hub: a page whose own name resolves to this machine must not read the metrics.
 */
function requireMetricsAccess(request: FastifyRequest, { metricsToken: token, hostNames }: MetricsOptions): void {
  if (token !== undefined) {
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (timingSafeEqual(hashToken(given), hashToken(token))) return
    throw new AppError('UNAUTHORIZED', 'Send Authorization: Bearer <METRICS_TOKEN>.')
  }
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
  const host = readHostName(request.headers.host ?? '') ?? ''
  const isNamed = isLoopbackHost(host) || hostNames.includes(host)
  if (isForwarded || !isNamed || !isLoopbackAddress(request.socket.remoteAddress ?? '')) throw notFound('Page')
}
