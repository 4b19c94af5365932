import { join } from 'node:path'
import { createSimulator } from '@hubline/simulator'
import { PAYMENT_CALLBACK_PATH } from '../domains/billing/sync/callbacks/routes.ts'
import type { SimulatorControl } from '../domains/sandbox/simulator.ts'
import type { Config } from './config/config.ts'
import type { PaymentSettings } from './config/payment-settings.ts'
import { CALLBACK_PATH, toSandboxSettings, type UpstreamSettings } from './config/upstream-settings.ts'
import { SANDBOX_PAGES } from './http/sandbox-pages.ts'
import { SIMULATOR_HOST, toSimulatorError } from './ports.ts'

type Sandbox = AsyncDisposable & {
  url: string
  settings: UpstreamSettings
  payments: PaymentSettings | undefined
  /** Undefined if the upstream is real. */
  control: SimulatorControl | undefined
  /** Sets the hub that the simulator calls back. */
  callBack: (hubUrl: string) => Promise<void>
}

/** The file in which the simulator keeps what it knows. */
export function buildWorldPath({ dataDir }: Config): string {
  return join(dataDir, 'sandbox-world')
}

/** Starts the simulator of the upstream and the payment provider. If one of the two is real, its settings stay unchanged. */
export async function startSandbox(
  config: Config,
  settings: UpstreamSettings,
  payments?: PaymentSettings,
  world: Pick<NonNullable<Parameters<typeof createSimulator>[0]>, 'clock' | 'now' | 'timings'> = {},
): Promise<Sandbox> {
  // People open the pages at the hub's address: it may be the only one that their browser can reach.
  const pages = settings.isSandbox ? { pagesUrl: config.publicUrl + SANDBOX_PAGES } : {}
  const isPaying = config.billing === 'sandbox'
  const app = { appId: settings.appId, appSecret: settings.appSecret, verifyToken: settings.verifyToken }
  const simulator = createSimulator({
    ...world,
    ...(settings.isSandbox && app),
    ...(isPaying && payments && { payments: pickKeys(payments) }),
    allowedOrigins: [config.publicUrl],
    ...pages,
    stateFile: buildWorldPath(config),
  })
  try {
    const url = await simulator.listen({ host: SIMULATOR_HOST, port: config.simulatorPort })
    return {
      url,
      settings: settings.isSandbox ? toSandboxSettings(config, app, url, pages.pagesUrl) : settings,
      payments: isPaying ? { ...pickKeys(simulator.payments), url: simulator.payments.url, ...pages } : payments,
      control: settings.isSandbox ? simulator.control : undefined,
      async callBack(hubUrl) {
        const callback = { url: `${hubUrl}${CALLBACK_PATH}`, verify_token: app.verifyToken }
        if (settings.isSandbox) await simulator.control('PUT', '/callback', callback)
        if (isPaying) await simulator.control('PUT', '/payments/callback', { url: hubUrl + PAYMENT_CALLBACK_PATH })
      },
      [Symbol.asyncDispose]: () => simulator.close(),
    }
  } catch (err) {
    throw toSimulatorError(err, config)
  }
}

function pickKeys({ secretKey, webhookSecret }: { secretKey: string; webhookSecret: string }) {
  return { secretKey, webhookSecret }
}
