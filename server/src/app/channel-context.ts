import type { Audit } from '../domains/audit/service.ts'
import type { Auth } from '../domains/auth/service.ts'
import type { Quotas } from '../domains/billing/quotas/service.ts'
import { createChannelConnections } from '../domains/channels/connection/service.ts'
import { createDeletions } from '../domains/channels/deletion/service.ts'
import { createDiagnosis } from '../domains/channels/diagnostics/service.ts'
import { createRequestedChecks } from '../domains/channels/health/requested-checks.ts'
import { createHealth } from '../domains/channels/health/service.ts'
import { buildOpenChannels, createChannels } from '../domains/channels/service.ts'
import { createStatusSignals } from '../domains/channels/signals/service.ts'
import { createCallbackAddresses } from '../domains/channels/subscriptions/addresses.ts'
import { createAccountSubscriptions } from '../domains/channels/subscriptions/service.ts'
import { createConnectLinks } from '../domains/connect-links/service.ts'
import { createBudgets } from '../domains/costs/budgets/service.ts'
import type { RateCards } from '../domains/costs/rates/rate-card.ts'
import { createCostsOfAccounts } from '../domains/costs/reported/service.ts'
import { createUploadSessions } from '../domains/facade/upload-sessions/sessions.ts'
import { buildRefusedCounts } from '../domains/inbound/refused-callbacks.ts'
import { createMedia } from '../domains/media/service.ts'
import { createNumbers } from '../domains/numbers/service.ts'
import { createTemplateStates } from '../domains/templates/sendability/service.ts'
import { createTemplates } from '../domains/templates/service.ts'
import type { Endpoints } from '../domains/webhooks/endpoints/service.ts'
import type { Publish } from '../domains/webhooks/publishing/service.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Cursors } from '../kernel/crypto/cursor.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { NewToken } from '../kernel/crypto/tokens.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Config } from './config/config.ts'
import { CALLBACK_PATH, type UpstreamSettings } from './config/upstream-settings.ts'

type Base = {
  newToken: NewToken
  sql: Pool
  now: Clock
  sealing: Sealing
  cursors: Cursors
  auth: Auth
  audit: Audit
  quotas: Quotas
  publish: Publish
  endpoints: Endpoints
  upstream: Upstream
  settings: UpstreamSettings
  rateCards: RateCards | undefined
  graphUrl: string
}

/** The services of channels, for the context: their links and numbers, their health, files, templates and costs. */
export function createChannelContext(config: Config, base: Base) {
  const { newToken, sql, now, sealing, cursors, auth, audit, quotas, publish, endpoints, upstream, graphUrl } = base
  const { rateCards, settings } = base
  const { publicUrl, connectLinkSeconds: lifeSeconds, pendingChannelDays } = config
  const { appId, verifyToken } = settings
  const connectLinks = createConnectLinks({ newToken, sql, now, sealing, publicUrl, lifeSeconds, buildOpenChannels })
  const budgets = createBudgets({ sql, now, rateCards, publish })
  const channels = createChannels({
    sql,
    now,
    auth,
    audit,
    quotas,
    connectLinks,
    endpoints,
    publish,
    graphUrl,
    requestBudgetCheck: budgets.requestCheck,
  })
  const connections = createChannelConnections({ sql, sealing, publish, audit, graphUrl })
  const costsOfAccounts = createCostsOfAccounts({ now, upstream, connections })
  const statusSignals = createStatusSignals({ now, publish })
  const cell = config.cell ? { mark: config.cell, callbackUrl: `${publicUrl}${CALLBACK_PATH}`, verifyToken } : undefined
  const accountSubscriptions = createAccountSubscriptions({ sql, upstream, appId, cell })
  const callbackAddresses = createCallbackAddresses({ sql, connections, subscriptions: accountSubscriptions })
  const deletions = createDeletions({
    sql,
    upstream,
    connections,
    auth,
    connectLinks,
    endpoints,
    publish,
    audit,
    subscriptions: accountSubscriptions,
  })
  const diagnosis = createDiagnosis({
    sql,
    upstream,
    appId,
    connections,
    endpoints,
    subscriptions: accountSubscriptions,
    now,
    buildRefusedCounts,
  })
  const health = createHealth({
    sql,
    upstream,
    connections,
    deletions,
    subscriptions: accountSubscriptions,
    pendingChannelDays,
  })
  const requestedChecks = createRequestedChecks({ sql, now, check: health.check })
  const media = createMedia({ sql, upstream, connections })
  const uploadSessions = createUploadSessions({ sql })
  const templateStates = createTemplateStates({ sql })
  const templates = createTemplates({ sql, now, upstream, connections, cursors, audit, templateStates })
  const numbers = createNumbers({ sql, upstream, connections, cursors, audit })
  return {
    connectLinks,
    budgets,
    channels,
    connections,
    costsOfAccounts,
    statusSignals,
    accountSubscriptions,
    callbackAddresses,
    deletions,
    diagnosis,
    health,
    requestedChecks,
    media,
    uploadSessions,
    templateStates,
    templates,
    numbers,
  }
}
