import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { hashToken } from '../../kernel/crypto/tokens.ts'
import { isDatabaseUnavailable } from '../../kernel/db/pool.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { addSyncHook } from '../../kernel/http/sync-hook.ts'
import { getHostName, isLoopbackAddress, isLoopbackHost, readHostName } from '../../kernel/net/addresses.ts'
import type { Config } from '../config/config.ts'

const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const FAILURES = 'hubline_metric_failures_total'
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * These belong to the process, not to a hub: its timers and observers cannot be stopped, so they are started once, for each
 * cell that hubs of the process have.
 */
const processMetrics = new Map<string, Registry>()

type MetricsOptions = {
  metricsToken: string | undefined
  /** The names under which this hub is reached, besides those of loopback. */
  hostNames: readonly string[]
  /** The mark of this cell, a label of every metric; empty for a hub that is no cell. */
  cell: string
}

export function toMetricsOptions({ metricsToken, publicUrl, host, cell }: Config): MetricsOptions {
  const hostNames = [getHostName(new URL(publicUrl)), host.includes(':') ? `[${host}]` : host]
  return { metricsToken, hostNames, cell }
}

/** Measures every request, and serves the metrics at `/metrics`. No label contains a tenant. */
export function installMetrics(app: FastifyInstance, options: MetricsOptions): Registry {
  const registry = createRegistry(options.cell)
  const registries = [startProcessMetrics(options.cell), registry]
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

  const failures = new Counter({
    name: FAILURES,
    help: 'Metrics that could not be measured and were left out of a scrape, by metric',
    labelNames: ['metric'],
    registers: [registry],
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    requireMetricsAccess(request, options)
    const parts = await Promise.all(registries.flatMap((each) => printMetrics(each, onFailure)))
    // Last, because it counts what this scrape left out.
    parts.push(await registry.getSingleMetricAsString(FAILURES))
    return reply.type(registry.contentType).send(`${parts.filter((part) => part !== '').join('\n\n')}\n`)

    function onFailure(metric: string, err: unknown): void {
      failures.inc({ metric })
      if (!isDatabaseUnavailable(err)) request.log.error({ err, metric }, 'a metric could not be measured')
    }
  })
  return registry
}

/** Each metric by itself, and empty if it cannot be measured: one that fails must not hide the others. */
function printMetrics(registry: Registry, onFailure: (metric: string, err: unknown) => void): Promise<string>[] {
  return registry
    .getMetricsAsArray()
    .filter(({ name }) => name !== FAILURES)
    .map(async ({ name }) => {
      try {
        return await registry.getSingleMetricAsString(name)
      } catch (err) {
        onFailure(name, err)
        return ''
      }
    })
}

function startProcessMetrics(cell: string): Registry {
  const started = processMetrics.get(cell)
  if (started) return started
  const registry = createRegistry(cell)
  collectDefaultMetrics({ register: registry })
  processMetrics.set(cell, registry)
  return registry
}

function createRegistry(cell: string): Registry {
  const registry = new Registry()
  if (cell) registry.setDefaultLabels({ cell })
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
    throw new AppError('UNAUTHORIZED', 'metrics_token_required')
  }
  const isForwarded = FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
  const host = readHostName(request.headers.host ?? '') ?? ''
  const isNamed = isLoopbackHost(host) || hostNames.includes(host)
  if (isForwarded || !isNamed || !isLoopbackAddress(request.socket.remoteAddress ?? ''))
    throw notFound('page_not_found')
}
