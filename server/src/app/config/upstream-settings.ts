import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { SignUpSettings } from '../../domains/onboarding/service.ts'
import type { Config } from './config.ts'
import { loadOrCreate } from './installed-settings.ts'

/** The path of the upstream's callbacks. */
export const CALLBACK_PATH = '/hooks/upstream'

/** The app of an installation without a real one: created once, and stored with the data. */
type SandboxApp = { appId: string; appSecret: string; verifyToken: string }

export type UpstreamSettings = {
  url: string
  version: string
  appId: string
  appSecret: string
  verifyToken: string
  timeoutMs: number
  signUp: SignUpSettings
  /** True if the upstream is the simulator. */
  isSandbox: boolean
}

/** The real upstream if it is configured, and the simulator otherwise. */
export function toUpstreamSettings(config: Config): UpstreamSettings {
  const { url, version, appId = '', appSecret = '', verifyToken = '', configId = null, timeoutMs } = config.upstream
  if (!url) return toSandboxSettings(config, loadSandboxApp(config.dataDir))
  const signUp = { mode: 'embedded_signup', appId, configId, graphVersion: version, signupUrl: null } as const
  return { url, version, appId, appSecret, verifyToken, timeoutMs, signUp, isSandbox: false }
}

/** `pagesUrl` is the base of the pages that a person opens, if they are not at the simulator. */
export function toSandboxSettings(
  config: Config,
  app: SandboxApp,
  url = simulatorUrl(config),
  pagesUrl = `${url}/_sim`,
): UpstreamSettings {
  const { version, timeoutMs } = config.upstream
  const signUp = {
    mode: 'sandbox',
    appId: app.appId,
    configId: null,
    graphVersion: version,
    signupUrl: `${pagesUrl}/signup`,
  } as const
  return { url, version, ...app, timeoutMs, signUp, isSandbox: true }
}

function simulatorUrl({ simulatorPort }: Config): string {
  return `http://127.0.0.1:${simulatorPort}`
}

function loadSandboxApp(dataDir: string): SandboxApp {
  return loadOrCreate(join(dataDir, 'sandbox.json'), {
    appId: String(100_000_000_000_000 + Math.floor(Math.random() * 900_000_000_000_000)),
    appSecret: randomBytes(16).toString('hex'),
    verifyToken: randomBytes(16).toString('hex'),
  })
}
