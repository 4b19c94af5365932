import type { Audit } from '../domains/audit/service.ts'
import { createAddons } from '../domains/billing/addons/service.ts'
import { createCheckouts } from '../domains/billing/checkout/service.ts'
import { createCustomers } from '../domains/billing/customers/service.ts'
import { createRequests } from '../domains/billing/idempotency/service.ts'
import { createBillingLinks } from '../domains/billing/links/service.ts'
import { createOperations } from '../domains/billing/operations/service.ts'
import { createPlanChanges } from '../domains/billing/plan-changes/service.ts'
import { createPrices } from '../domains/billing/plans/prices.ts'
import { createPortal } from '../domains/billing/portal/service.ts'
import { createPreviews } from '../domains/billing/previews/service.ts'
import { createBilling } from '../domains/billing/quotas/service.ts'
import { createPaymentCallbacks } from '../domains/billing/sync/callbacks/service.ts'
import { createSync } from '../domains/billing/sync/service.ts'
import { createUsage } from '../domains/billing/usage/service.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import { createStripe } from '../payments/stripe.ts'
import type { Config } from './config/config.ts'
import type { PaymentSettings } from './config/payment-settings.ts'

type Parts = {
  sql: Pool
  now: Clock
  logger: Logger
  sealing: Sealing
  audit: Audit
  settings: PaymentSettings | undefined
}

/** The part of the context that knows what organizations may use, and sells them more. */
export function createBillingParts(config: Config, { sql, now, logger, sealing, audit, settings }: Parts) {
  const { publicUrl } = config
  const payments = settings && createStripe(settings)
  const usage = createUsage({ sql })
  const sync = createSync({ sql, payments, audit, logger })
  const prices = createPrices({ isSandbox: config.billing === 'sandbox' })
  const customers = createCustomers({ sql })
  const operations = createOperations({ sql, now })
  const previews = createPreviews({ sql, now })
  const requests = createRequests({ sql, now, sealing })
  const links = createBillingLinks({ sql, now, publicUrl })
  const common = { sql, sync, prices, links, operations, previews, requests, audit }
  return {
    ...{ payments, usage, sync, prices, customers, previews, requests, billingLinks: links },
    billing: createBilling({ sql, now, usage, payments }),
    paymentCallbacks: createPaymentCallbacks({ sql, payments, sync, logger }),
    addons: createAddons(common),
    checkouts: createCheckouts({ ...common, customers, publicUrl }),
    planChanges: createPlanChanges(common),
    portal: createPortal({ sql, customers, links, audit, publicUrl }),
  }
}
