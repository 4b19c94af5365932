import { setTimeout as sleep } from 'node:timers/promises'
import { createForwarding, FORWARDED_HEADER } from '../domains/inbound/forwarding/service.ts'
import { inboundRoutes } from '../domains/inbound/routes.ts'
import { systemClock } from '../kernel/clock.ts'
import { invalidRequest } from '../kernel/errors.ts'
import { createBodyBudget } from '../kernel/http/body-budget.ts'
import { createServer } from '../kernel/http/server.ts'
import type { Logger } from '../kernel/logger.ts'
import { VERSION } from '../kernel/version.ts'
import type { Config } from './config/config.ts'
import { CALLBACK_PATH } from './config/upstream-settings.ts'
import { createDrain, installDrain } from './http/drain.ts'
import { UNVERIFIED_BYTES_MAX } from './http/http.ts'
import { probeRoutes } from './http/probes.ts'
import { listen } from './hub.ts'
import { countForwardedCallbacks } from './metrics/counters.ts'
import { installMetrics, toMetricsOptions } from './metrics/metrics.ts'

/** Ready whichever cells respond: callbacks for the others must arrive. */
const ALWAYS_READY = { readiness: { findProblem: async () => undefined }, hold: { isHeld: () => false } }

/** Tests lower the limits. */
type Options = { logger: Logger; deadlineMs?: number; waitingBytesMax?: number }

/** A process of the role `callbacks`: it has no database, and sends the callbacks of the app to all cells. */
export async function startForwarding(config: Config, { logger, ...limits }: Options) {
  const { appSecret = '', verifyToken = '' } = config.upstream
  const forwarding = createForwarding({
    callbackUrls: config.cells.map((origin) => `${origin}${CALLBACK_PATH}`),
    app: { appSecret, verifyToken },
    version: VERSION,
    logger,
    ...limits,
  })
  const drain = createDrain()
  const app = await createServer({
    logger,
    now: systemClock,
    trustedProxies: config.trustedProxies,
    isHttps: config.publicUrl.startsWith('https:'),
    logFields: () => ({}),
  })
  installDrain(app, drain)
  app.addHook('onRequest', async ({ headers }) => {
    if (headers[FORWARDED_HEADER] !== undefined) throw invalidRequest('callback_loop')
  })
  // The cell is a label of what is forwarded, and this process is none.
  countForwardedCallbacks(installMetrics(app, toMetricsOptions({ ...config, cell: '' })), forwarding)
  await app.register(inboundRoutes(forwarding, createBodyBudget(UNVERIFIED_BYTES_MAX)))
  await app.register(probeRoutes(ALWAYS_READY, drain.isDraining))
  const url = await listen(app, config)

  return {
    url,
    /** Open requests end within the deadline of the cells. */
    async stop(): Promise<void> {
      drain.begin()
      await sleep(config.drainSeconds * 1000)
      drain.refuse()
      await drain.settled
      await app.close()
      await forwarding[Symbol.asyncDispose]()
    },
  }
}
