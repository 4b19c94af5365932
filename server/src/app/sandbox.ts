import { join } from 'node:path'
import { createSimulator } from '@hubline/simulator'
import type { Config } from './config.ts'
import { CannotStart } from './installation.ts'
import { CALLBACK_PATH, sandboxSettings, type UpstreamSettings } from './upstream-settings.ts'

export type Sandbox = AsyncDisposable & {
  settings: UpstreamSettings
  /** From now on the simulator calls the hub that listens there. */
  callBack: (hubUrl: string) => Promise<void>
}

/** The upstream's simulator, beside the hub and on loopback only: whoever reaches it can play every customer. */
export async function startSandbox(config: Config, settings: UpstreamSettings): Promise<Sandbox> {
  const { appId, appSecret, verifyToken } = settings
  const simulator = createSimulator({
    ...{ appId, appSecret, verifyToken, allowedOrigins: [config.publicUrl] },
    stateFile: join(config.dataDir, 'sandbox-world'),
  })
  try {
    const url = await simulator.listen({ host: '127.0.0.1', port: config.simulatorPort })
    const running = sandboxSettings(config, { appId, appSecret, verifyToken }, url)
    return {
      settings: running,
      async callBack(hubUrl) {
        const callback = { url: `${hubUrl}${CALLBACK_PATH}`, verify_token: verifyToken }
        await simulator.control('PUT', '/callback', callback)
      },
      [Symbol.asyncDispose]: () => simulator.close(),
    }
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? err.code : undefined
    if (code !== 'EADDRINUSE') throw err
    throw new CannotStart(`Port ${config.simulatorPort} for the simulator is taken; set SIMULATOR_PORT to another`)
  }
}
