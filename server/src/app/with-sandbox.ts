import { createLogger } from '../kernel/logger.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { createDrain } from './http/drain.ts'
import { createHttp } from './http/http.ts'
import { listen } from './hub.ts'
import { CannotStart, type Installation } from './installation.ts'
import { startSandbox } from './sandbox.ts'

/** In the sandbox: the simulator of the running hub, or one for as long as this takes, on the same world. */
export async function withSimulator<T>(
  config: Config,
  { upstream, payments }: Installation,
  work: () => Promise<T>,
): Promise<T> {
  if (config.billing !== 'sandbox' && !upstream.isSandbox) return work()
  await using _simulator = await unlessTaken(() => startSandbox(config, upstream, payments))
  return await work()
}

/** The running hub, or one for as long as this takes: it answers whoever calls, and does nothing by itself. */
export async function withHub<T>(context: Context, config: Config, work: () => Promise<T>): Promise<T> {
  const serving: Config = { ...config, role: 'api' }
  const app = await createHttp(context, serving, { logger: createLogger('error'), drain: createDrain() })
  const url = await unlessTaken(() => listen(app, serving))
  try {
    return await work()
  } finally {
    if (url) await app.close()
  }
}

/** Null where the port is taken: a hub runs, and its simulator with it. */
async function unlessTaken<T>(start: () => Promise<T>): Promise<T | null> {
  try {
    return await start()
  } catch (err) {
    if (err instanceof CannotStart) return null
    throw err
  }
}
