import { createAlerts } from '../domains/alerts/service.ts'
import { createApiKeys } from '../domains/api-keys/service.ts'
import { createAudit } from '../domains/audit/service.ts'
import { createAuth } from '../domains/auth/service.ts'
import { buildChannelLookup, lockOpenChannels } from '../domains/channels/service.ts'
import type { RateCards } from '../domains/costs/rates/rate-card.ts'
import { createCostReports } from '../domains/costs/report/service.ts'
import { createCostVolumes } from '../domains/costs/volumes/service.ts'
import { createEventLog } from '../domains/events/log/service.ts'
import { createEvents } from '../domains/events/service.ts'
import { createFacade } from '../domains/facade/service.ts'
import { createHold } from '../domains/hold/service.ts'
import { createRefusedCallbacks } from '../domains/inbound/refused-callbacks.ts'
import { createInbound } from '../domains/inbound/service.ts'
import { createLiveUpdates } from '../domains/live-updates/service.ts'
import { createExportRuns } from '../domains/messages/console/export/export-runs.ts'
import { createMessageExports } from '../domains/messages/console/export/service.ts'
import { createMessageFiles } from '../domains/messages/console/media.ts'
import { createConsoleLog } from '../domains/messages/console/service.ts'
import { createContacts } from '../domains/messages/contacts/service.ts'
import { createInboundUpdates } from '../domains/messages/inbound-updates/service.ts'
import { createMessageLog } from '../domains/messages/log/service.ts'
import { createReceipts } from '../domains/messages/receipts.ts'
import { createMessages } from '../domains/messages/sending/service.ts'
import { createOffboarding } from '../domains/offboarding/service.ts'
import { createOnboarding } from '../domains/onboarding/service.ts'
import { createOrganizationDeletions } from '../domains/organizations/deletion/service.ts'
import { buildAlertRecipients, buildMemberships } from '../domains/organizations/members/service.ts'
import { createActivity } from '../domains/overview/activity/service.ts'
import { createAttention } from '../domains/overview/attention/service.ts'
import { createFigures } from '../domains/overview/figures/service.ts'
import { createOrganizationExports } from '../domains/privacy/organization-export/service.ts'
import { createRequestLog } from '../domains/request-log/service.ts'
import { createSandboxPhone } from '../domains/sandbox/service.ts'
import type { SimulatorControl } from '../domains/sandbox/simulator.ts'
import { createCounts } from '../domains/statistics/counts/service.ts'
import type { Sender } from '../domains/webhooks/attempts/sender.ts'
import { createEndpoints } from '../domains/webhooks/endpoints/service.ts'
import { createInspectors } from '../domains/webhooks/inspector/service.ts'
import { createDeliveryPages } from '../domains/webhooks/log/delivery-pages.ts'
import { computeRetentionDays } from '../domains/webhooks/retention/retention-days.ts'
import type { Clock } from '../kernel/clock.ts'
import { createCursors } from '../kernel/crypto/cursor.ts'
import type { KeyRing } from '../kernel/crypto/key-ring.ts'
import { createSealing } from '../kernel/crypto/sealing.ts'
import { newToken as mintToken, type TokenKind } from '../kernel/crypto/tokens.ts'
import { createBatchSplits } from '../kernel/db/batch-splits.ts'
import { createOutages } from '../kernel/db/outages.ts'
import type { Pool } from '../kernel/db/pool.ts'
import { createReadiness } from '../kernel/db/readiness.ts'
import { createSessionLock, DEFERRING_PROCESS_LOCKS, PROCESS_LOCKS } from '../kernel/db/session-lock.ts'
import type { Logger } from '../kernel/logger.ts'
import { createDestinations } from '../kernel/net/destinations.ts'
import type { Lookup } from '../kernel/net/lookup.ts'
import { createResolver } from '../kernel/net/resolver.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { createBillingContext } from './billing-context.ts'
import { createChannelContext } from './channel-context.ts'
import type { Config } from './config/config.ts'
import { type PaymentSettings, toPaymentSettings } from './config/payment-settings.ts'
import type { UpstreamSettings } from './config/upstream-settings.ts'
import { createDeliveryContext } from './delivery-context.ts'
import { createPeopleContext } from './people-context.ts'
import { createErasureContext } from './privacy-context.ts'

const DNS_TIMEOUT_MS = 5000

/** Authorization reads these from domains above it, in its own statements. */
const ACCESS_READS = { buildMemberships, buildChannelLookup }

type Base = {
  sql: Pool
  keyRing: () => KeyRing
  now: Clock
  /** By default the same. */
  processClock?: Clock
  upstream: UpstreamSettings
  /** By default the provider of the configuration. */
  payments?: PaymentSettings | undefined
  simulator?: SimulatorControl | undefined
  /** Without it there are volumes and no costs. */
  rateCards?: RateCards | undefined
  logger: Logger
  /** Replaces DNS in tests, and for sample data. */
  lookup?: Lookup
  /** Replaces the receivers of webhooks, for sample data. */
  sender?: Sender | undefined
}

export type Context = ReturnType<typeof createContext>

/** The only place where services are created. Each lists exactly what it needs. */
export function createContext(config: Config, base: Base) {
  const { sql, keyRing, now, logger } = base
  const { publicUrl, webhookAllowedDestinations: allowed } = config
  const graphUrl = config.graphUrl ?? `${publicUrl}/graph`
  const { appId, timeoutMs } = base.upstream
  const upstream = createUpstream({ ...base.upstream, timeoutMs, logger })
  const sealing = createSealing(keyRing)
  const cursors = createCursors(() => keyRing()[0].bytes)
  const resolver = createResolver({ timeoutMs: DNS_TIMEOUT_MS, ...(base.lookup && { lookup: base.lookup }) })
  const destinations = createDestinations({ allowed, resolver })
  const processLock = createSessionLock({ sql, spaces: [PROCESS_LOCKS, DEFERRING_PROCESS_LOCKS] })

  const newToken = (kind: TokenKind) => mintToken(kind, config.cell)

  const hold = createHold({ sql, now, logger })
  const events = createEvents({ now })
  const batchSplits = createBatchSplits({ logger })
  const auth = createAuth({ newToken, sql, now, batchSplits, reads: ACCESS_READS })
  const readiness = createReadiness(sql, auth.tryAuthentication)
  const outages = createOutages({ readiness, logger })
  const liveUpdates = createLiveUpdates({ sql, now, logger, auth })
  const { recordEntry: onEntry, recheckAfterCommit } = liveUpdates
  const audit = createAudit({ sql, cursors, now, retentionDays: config.retentionAuditDays, onEntry })
  const people = createPeopleContext(config, {
    newToken,
    sql,
    now,
    processClock: base.processClock ?? now,
    logger,
    sealing,
    cursors,
    audit,
    reads: ACCESS_READS,
    isSandbox: base.upstream.isSandbox,
    onAccessChanged: recheckAfterCommit,
  })
  const { mail, members, organizations, invitations } = people
  const alerts = createAlerts({ sql, mail, publicUrl, buildRecipients: buildAlertRecipients })
  const apiKeys = createApiKeys({ sql, auth, audit, cursors, now })
  const settings = config.billing === 'off' ? undefined : (base.payments ?? toPaymentSettings(config))
  const billingContext = createBillingContext(config, {
    newToken,
    sql,
    now,
    logger,
    sealing,
    audit,
    cursors,
    settings,
    hold,
  })
  const { billing, quotas, usage } = billingContext
  const counts = createCounts({ sql })
  const costVolumes = createCostVolumes({ sql })
  const costReports = createCostReports({ sql, now, rateCards: base.rateCards })
  const delivery = createDeliveryContext({
    sql,
    now,
    logger,
    outages,
    sealing,
    destinations,
    events,
    auth,
    audit,
    lockOpenChannels,
    publicUrl,
    graphUrl,
    batchSplits,
    liveUpdates,
    alerts,
    retentionDays: computeRetentionDays(config.retentionEventsDays),
    processLock,
    isHeld: hold.isHeld,
    sender: base.sender,
  })
  const { publishing, publish, wakeUps, forgetEndpoint } = delivery
  const endpoints = createEndpoints({
    sql,
    now,
    sealing,
    destinations,
    quotas,
    audit,
    lockOpenChannels,
    wakeUps,
    forgetEndpoint,
    eventDays: config.retentionEventsDays,
  })
  const inspectors = createInspectors({
    sql,
    now,
    sealing,
    audit,
    deliveryLog: delivery.deliveryLog,
    wakeUps,
    eventDays: config.retentionEventsDays,
    forgetEndpoint,
    isAvailable: config.inspector === 'on',
  })
  const channelContext = createChannelContext(config, {
    newToken,
    sql,
    now,
    sealing,
    cursors,
    auth,
    audit,
    quotas,
    publish,
    endpoints,
    upstream,
    settings: base.upstream,
    rateCards: base.rateCards,
    graphUrl,
  })
  const {
    connectLinks,
    channels,
    connections,
    statusSignals,
    accountSubscriptions,
    deletions,
    requestedChecks,
    media,
    uploadSessions,
    templateStates,
  } = channelContext
  const messages = createMessages({
    sql,
    now,
    upstream,
    timeoutMs,
    billing,
    connections,
    requestedChecks,
    publishing,
    logger,
    batchSplits,
    liveUpdates,
    processLock,
    checksTemplates: config.templateCheck === 'on',
    templateStates,
  })
  const contacts = createContacts({ sql, retentionDays: config.retentionMessagesDays })
  const messageLog = createMessageLog({ sql, cursors, now, contacts, retentionDays: config.retentionMessagesDays })
  const receipts = createReceipts({ upstream, connections, messageLog })
  const { deliveryLog } = delivery
  const retentionDays = config.retentionMessagesDays
  const consoleLog = createConsoleLog({ sql, cursors, now, audit, contacts, deliveryLog, retentionDays })
  const messageFiles = createMessageFiles({ sql, upstream, connections, media, consoleLog })
  const exportRuns = createExportRuns({ sql, now, audit })
  const messageExports = createMessageExports({ sql, now, auth, contacts, exportRuns, retentionDays })
  const { payloads: payloadDays, deliveries: deliveryDays } = computeRetentionDays(config.retentionEventsDays)
  const deliveryPages = createDeliveryPages({ sql, now, cursors, retentionDays: deliveryDays, payloadDays })
  const eventLog = createEventLog({ sql, now, retentionDays: payloadDays })
  const requestLog = createRequestLog({ sql, cursors, logger, outages, liveUpdates })
  const sources = {
    organizations,
    members,
    invitations,
    channels,
    endpoints,
    apiKeys,
    usage,
    costVolumes,
    audit,
    contacts,
    messageLog,
    eventLog,
    deliveryLog,
    requestLog,
  }
  const erasureBase = { sql, now, logger, sealing, cursors, audit, media, contacts, eventLog }
  const erasureContext = createErasureContext(config, erasureBase)
  const organizationExports = createOrganizationExports({ auth, exportRuns, sources })
  const figures = createFigures({ sql, now })
  const activity = createActivity({ sql, cursors })
  const attention = createAttention({ sql, now, quotas })
  const inboundUpdates = createInboundUpdates({ now, publishing })
  const refusedCallbacks = createRefusedCallbacks({ sql, now })
  const inbound = createInbound({
    sql,
    now,
    logger,
    app: base.upstream,
    isCell: config.cell !== '',
    inboundUpdates,
    publishing,
    media,
    statusSignals,
    requestedChecks,
    templateStates,
    batchSplits,
    refusedCallbacks,
  })
  const facade = createFacade({
    sql,
    publicUrl,
    graphUrl,
    appId,
    upstream,
    connections,
    media,
    messages,
    audit,
    uploadSessions,
    now,
    templateStates,
    endpoints,
  })
  const onboarding = createOnboarding({
    sql,
    upstream,
    connections,
    connectLinks,
    subscriptions: accountSubscriptions,
    organizations,
    publicUrl,
    settings: base.upstream.signUp,
  })
  const organizationDeletions = createOrganizationDeletions({ sql, audit })
  const offboarding = createOffboarding({
    sql,
    logger,
    mail,
    publicUrl,
    organizationDeletions,
    members,
    alerts,
    invitations,
    auth,
    audit,
    subscriptions: billingContext.subscriptions,
    channels,
    deletions,
    connectLinks,
    endpoints,
    listeners: delivery.listeners,
    deliveryRetention: delivery.deliveryRetention,
    messages,
    media,
    uploadSessions,
    templateStates,
    inbound,
    eventLog,
    counts,
    costVolumes,
    liveUpdates,
    erasures: erasureContext.erasures,
    requestLog,
  })
  const sandboxPhone = createSandboxPhone({ control: base.simulator, connections, onboarding })
  return {
    newToken,
    publicUrl,
    sql,
    readiness,
    hold,
    processLock,
    outages,
    now,
    sealing,
    upstream,
    audit,
    events,
    batchSplits,
    auth,
    liveUpdates,
    ...people,
    ...delivery,
    ...billingContext,
    ...channelContext,
    counts,
    costVolumes,
    costReports,
    figures,
    activity,
    attention,
    alerts,
    apiKeys,
    endpoints,
    inspectors,
    messages,
    contacts,
    messageLog,
    receipts,
    consoleLog,
    deliveryPages,
    messageFiles,
    messageExports,
    organizationExports,
    ...erasureContext,
    inbound,
    refusedCallbacks,
    facade,
    onboarding,
    requestLog,
    sandboxPhone,
    /** Undefined if the upstream is real. */
    simulatorUrl: base.upstream.isSandbox ? base.upstream.url : undefined,
    offboarding,
    async [Symbol.asyncDispose]() {
      await requestLog[Symbol.asyncDispose]()
      await mail[Symbol.asyncDispose]()
      outages[Symbol.dispose]()
      await readiness[Symbol.asyncDispose]()
      await processLock.stop()
      await delivery.listeners[Symbol.asyncDispose]()
      await liveUpdates[Symbol.asyncDispose]()
      await delivery.sender[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
      await billingContext.payments?.[Symbol.asyncDispose]()
    },
  }
}
