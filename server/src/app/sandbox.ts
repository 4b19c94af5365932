import { createSimulator } from '@hubline/simulator'
import type { Config } from './config.ts'
import { CannotStart } from './installation.ts'
import { sandboxSettings, type UpstreamSettings } from './upstream-settings.ts'

/** The upstream's simulator, beside the hub and on loopback only: whoever reaches it can play every customer. */
export async function startSandbox(
  config: Config,
  settings: UpstreamSettings,
): Promise<AsyncDisposable & { settings: UpstreamSettings }> {
  const { appId, appSecret, verifyToken } = settings
  const simulator = createSimulator({ appId, appSecret, verifyToken, allowedOrigins: [config.publicUrl] })
  try {
    const url = await simulator.listen({ host: '127.0.0.1', port: config.simulatorPort })
    const running = sandboxSettings(config, { appId, appSecret, verifyToken }, url)
    return { settings: running, [Symbol.asyncDispose]: () => simulator.close() }
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? err.code : undefined
    if (code !== 'EADDRINUSE') throw err
    throw new CannotStart(`Port ${config.simulatorPort} for the simulator is taken; set SIMULATOR_PORT to another`)
  }
}
