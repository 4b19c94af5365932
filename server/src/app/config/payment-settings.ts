import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { StripeOptions } from '../../payments/stripe-client.ts'
import type { Config } from './config.ts'
import { loadOrCreate } from './installed-settings.ts'

export type PaymentSettings = StripeOptions

/** The keys of the simulated provider: created once, and stored with the data. */
type SandboxPayments = { secretKey: string; webhookSecret: string }

/** For a process that never calls the provider. */
const NO_KEYS: SandboxPayments = { secretKey: 'sk_test_none', webhookSecret: 'whsec_none' }

/** The real provider if it is configured, the simulator in the sandbox, or nothing if billing is off. */
export function toPaymentSettings(config: Config, keys: SandboxPayments = NO_KEYS): PaymentSettings | undefined {
  const { secretKey = '', webhookSecret = '', url } = config.stripe
  if (config.billing === 'off') return undefined
  if (config.billing === 'stripe') return { secretKey, webhookSecret, url }
  return { ...keys, url: `http://127.0.0.1:${config.simulatorPort}` }
}

export function loadSandboxPayments(dataDir: string): SandboxPayments {
  return loadOrCreate(join(dataDir, 'sandbox-payments.json'), {
    secretKey: `sk_test_${randomBytes(24).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  })
}
