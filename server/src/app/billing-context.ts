import type { Audit } from '../domains/audit/service.ts'
import { createAddons } from '../domains/billing/addons/service.ts'
import { createCheckouts } from '../domains/billing/checkout/service.ts'
import { createCustomers } from '../domains/billing/customers/service.ts'
import { createIdempotencyRecords } from '../domains/billing/idempotency/service.ts'
import { createInvoices } from '../domains/billing/invoices/service.ts'
import { createBillingLinks } from '../domains/billing/links/service.ts'
import { createOperations } from '../domains/billing/operations/service.ts'
import { createPlanChanges } from '../domains/billing/plan-changes/service.ts'
import { createPrices } from '../domains/billing/plans/price-lookup.ts'
import { createPortal } from '../domains/billing/portal/service.ts'
import { createPreviews } from '../domains/billing/previews/service.ts'
import { createBillingProvider } from '../domains/billing/provider/service.ts'
import { createQuotas } from '../domains/billing/quotas/service.ts'
import { createSubscriptions } from '../domains/billing/subscriptions/service.ts'
import { createPaymentCallbacks } from '../domains/billing/sync/callbacks/service.ts'
import { createSync } from '../domains/billing/sync/service.ts'
import { createUsage } from '../domains/billing/usage/service.ts'
import { buildChannelCount } from '../domains/channels/service.ts'
import type { Hold } from '../domains/hold/service.ts'
import { buildEndpointCount } from '../domains/webhooks/endpoints/service.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Cursors } from '../kernel/crypto/cursor.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { NewToken } from '../kernel/crypto/tokens.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import { createStripePayments } from '../payments/stripe.ts'
import type { Config } from './config/config.ts'
import type { PaymentSettings } from './config/payment-settings.ts'

/** Counts for the quotas, by the domains that own the tables. */
const COUNTS = { channels: buildChannelCount, webhook_endpoints: buildEndpointCount }

type Base = {
  newToken: NewToken
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  audit: Audit
  cursors: Cursors
  /** Undefined if billing is off. */
  settings: PaymentSettings | undefined
  hold: Pick<Hold, 'isHeld'>
}

/** The services of billing, for the context. */
export function createBillingContext(config: Config, base: Base) {
  const { newToken, sql, now, logger, sealing, audit, cursors, settings } = base
  const { publicUrl } = config
  const payments = settings && createStripePayments(settings)
  const billing = createBillingProvider(payments)
  const isSandbox = config.billing === 'sandbox'
  const unbilledLimits = { channels: config.maxChannels, webhook_endpoints: config.maxEndpoints }
  const quotas = createQuotas({ isEnforced: billing.isOn, isSandbox, unbilledLimits, buildCounts: COUNTS })
  const usage = createUsage({ sql })
  const customers = createCustomers({ sql })
  const sync = createSync({ sql, payments, customers, audit, logger })
  const prices = createPrices({ isSandbox, now })
  const operations = createOperations({ sql, now, quotas, logger })
  const previews = createPreviews({ sql, now })
  const idempotencyRecords = createIdempotencyRecords({ sql, now, sealing })
  const links = createBillingLinks({ newToken, sql, now, publicUrl })
  const common = { sql, sync, prices, links, quotas, operations, previews, idempotencyRecords, audit }
  return {
    payments,
    billing,
    quotas,
    usage,
    sync,
    prices,
    customers,
    previews,
    idempotencyRecords,
    billingLinks: links,
    subscriptions: createSubscriptions({ sql, now, logger, payments, quotas, usage, sync }),
    paymentCallbacks: createPaymentCallbacks({ sql, payments, customers, sync, logger, isHeld: base.hold.isHeld }),
    invoices: createInvoices({ billing, customers, cursors }),
    addons: createAddons(common),
    checkouts: createCheckouts({ ...common, customers, publicUrl }),
    planChanges: createPlanChanges({ ...common, logger }),
    portal: createPortal({ sql, sync, customers, links, audit, publicUrl }),
  }
}
