import { createLogger } from '../../kernel/logger.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { createDrain } from '../http/drain.ts'
import { createHttp } from '../http/http.ts'
import { listen } from '../hub.ts'
import { CannotStart, type Installation } from '../installation.ts'
import { startSandbox } from '../sandbox.ts'

/** Runs `work` with the simulator of the running hub, or with one that is started for it on the same state. */
export async function withSimulator<T>(
  config: Config,
  { upstream, payments }: Installation,
  work: () => Promise<T>,
): Promise<T> {
  if (config.billing !== 'sandbox' && !upstream.isSandbox) return work()
  await using _simulator = await startUnlessRunning(() => startSandbox(config, upstream, payments))
  return await work()
}

/** Runs `work` with the running hub, or with one that is started for it, which only responds to requests. */
export async function withHub<T>(context: Context, config: Config, work: () => Promise<T>): Promise<T> {
  const serving: Config = { ...config, role: 'api' }
  const app = await createHttp(context, serving, { logger: createLogger('error'), drain: createDrain() })
  const url = await startUnlessRunning(() => listen(app, serving))
  try {
    return await work()
  } finally {
    if (url) await app.close()
  }
}

/**
 * Null if the service cannot start. The usual reason is that its port is in use by a running hub; any other reason an
 * operator can fix, such as a port that needs privileges, counts the same.
 */
async function startUnlessRunning<T>(start: () => Promise<T>): Promise<T | null> {
  try {
    return await start()
  } catch (err) {
    if (err instanceof CannotStart) return null
    throw err
  }
}
