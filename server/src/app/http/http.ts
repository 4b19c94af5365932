import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { apiKeyRoutes } from '../../domains/api-keys/routes.ts'
import { auditRoutes } from '../../domains/audit/routes.ts'
import { accountRoutes } from '../../domains/auth/account/routes.ts'
import { verifyEmailPageRoutes } from '../../domains/auth/email-verifications/pages/routes.ts'
import { emailVerificationRoutes } from '../../domains/auth/email-verifications/routes.ts'
import { listAllowedOrigins } from '../../domains/auth/origin.ts'
import { passwordPageRoutes } from '../../domains/auth/password-resets/pages/routes.ts'
import { passwordResetRoutes } from '../../domains/auth/password-resets/routes.ts'
import { createSessionCookie, type SessionCookie } from '../../domains/auth/sessions/cookie.ts'
import { sessionRoutes } from '../../domains/auth/sessions/routes.ts'
import { addonRoutes } from '../../domains/billing/addons/routes.ts'
import { checkoutRoutes } from '../../domains/billing/checkout/routes.ts'
import { invoiceRoutes } from '../../domains/billing/invoices/routes.ts'
import { billingPageRoutes } from '../../domains/billing/pages/routes.ts'
import { priceRoutes } from '../../domains/billing/plans/routes.ts'
import { portalRoutes } from '../../domains/billing/portal/routes.ts'
import { subscriptionRoutes } from '../../domains/billing/subscriptions/routes.ts'
import { paymentCallbackRoutes } from '../../domains/billing/sync/callbacks/routes.ts'
import { linkListRoutes } from '../../domains/channels/link-routes.ts'
import { channelRoutes } from '../../domains/channels/routes.ts'
import { costRoutes } from '../../domains/costs/report/routes.ts'
import { reportedCostRoutes } from '../../domains/costs/reported/routes.ts'
import { facadeRoutes } from '../../domains/facade/routes.ts'
import { templateConsoleRoutes } from '../../domains/facade/template-routes.ts'
import { inboundRoutes } from '../../domains/inbound/routes.ts'
import { liveUpdateRoutes } from '../../domains/live-updates/routes.ts'
import { mediaRoutes } from '../../domains/media/routes.ts'
import { consoleMessageRoutes } from '../../domains/messages/console/routes.ts'
import { messageRoutes } from '../../domains/messages/routes.ts'
import { numberRoutes } from '../../domains/numbers/routes.ts'
import { offboardingRoutes } from '../../domains/offboarding/routes.ts'
import { connectPageRoutes } from '../../domains/onboarding/page/routes.ts'
import { onboardingRoutes } from '../../domains/onboarding/routes.ts'
import { joinPageRoutes } from '../../domains/organizations/invitations/page/routes.ts'
import { invitationRoutes } from '../../domains/organizations/invitations/routes.ts'
import { memberRoutes } from '../../domains/organizations/members/routes.ts'
import { organizationRoutes } from '../../domains/organizations/routes.ts'
import { settingsRoutes } from '../../domains/organizations/settings/routes.ts'
import { setupRoutes } from '../../domains/organizations/setup/routes.ts'
import { finishSignUpPageRoutes } from '../../domains/organizations/sign-up/page/routes.ts'
import { signUpRoutes } from '../../domains/organizations/sign-up/routes.ts'
import { overviewRoutes } from '../../domains/overview/routes.ts'
import { privacyRoutes } from '../../domains/privacy/routes.ts'
import { requestLogRoutes } from '../../domains/request-log/routes.ts'
import { sandboxRoutes } from '../../domains/sandbox/routes.ts'
import { templateRoutes } from '../../domains/templates/routes.ts'
import { endpointReadRoutes } from '../../domains/webhooks/endpoints/read-routes.ts'
import { endpointRoutes } from '../../domains/webhooks/endpoints/routes.ts'
import { inspectorRoutes } from '../../domains/webhooks/inspector/routes.ts'
import { listenerListRoutes, listenerRoutes } from '../../domains/webhooks/listeners/routes.ts'
import { inspectionRoutes } from '../../domains/webhooks/log/inspection-routes.ts'
import { deliveryPageRoutes } from '../../domains/webhooks/log/page-routes.ts'
import { deliveryRoutes } from '../../domains/webhooks/log/routes.ts'
import { createBodyBudget } from '../../kernel/http/body-budget.ts'
import { strictObject } from '../../kernel/http/schemas.ts'
import { createServer, type ServerOptions } from '../../kernel/http/server.ts'
import { createListResponses } from '../../kernel/http/streaming/list-response.ts'
import type { Logger } from '../../kernel/logger.ts'
import { pageAssetRoutes } from '../../kernel/pages/assets.ts'
import type { Limit } from '../../kernel/rate-limit/limit.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { installCounters } from '../metrics/counters.ts'
import { installDeliveryMetrics } from '../metrics/delivery-metrics.ts'
import { installMetrics, toMetricsOptions } from '../metrics/metrics.ts'
import { installOpenApi } from '../openapi/openapi.ts'
import { installAccessControl } from './access-control.ts'
import { ACCESS_RULES, type Access } from './access-rules.ts'
import { loadDashboard } from './dashboard.ts'
import { type Drain, installDrain } from './drain.ts'
import { createGraphAddress, formatGraphError } from './graph-requests.ts'
import { installHold } from './hold.ts'
import { probeRoutes } from './probes.ts'
import { createPublicLimits } from './public-limits.ts'
import { LIMITS } from './rate-limits.ts'
import { installRequestRecording } from './request-recording.ts'
import { sandboxPageRoutes } from './sandbox-pages.ts'

/** The mounts of the facade, which checks the parameters of each of its paths itself. */
const FACADE = '/upstream'
const GRAPH = '/graph'

/** A route that declares no query parameters refuses them: to ignore one would hide a mistake of the client. */
const NO_PARAMETERS = strictObject({})

/** Additional routes with their access rules, for tests. */
export type Extension = { access: Record<string, Access>; limit: Limit; routes: FastifyPluginAsync }

/** Limits the bytes of callbacks whose signature is not verified yet: sixteen of the largest, or thousands of usual ones. */
export const UNVERIFIED_BYTES_MAX = 64 * 1024 * 1024

const CAPACITY = { unverifiedBytesMax: UNVERIFIED_BYTES_MAX }

export type HttpOptions = {
  logger: Logger
  drain: Drain
  timeouts?: ServerOptions['timeouts']
  /** Tests lower it. */
  capacity?: Partial<typeof CAPACITY> & Pick<ServerOptions, 'connectionsMax' | 'bodyBytesMax'>
  extension?: Extension
}

export async function createHttp(context: Context, config: Config, options: HttpOptions): Promise<FastifyInstance> {
  const isHttps = config.publicUrl.startsWith('https:')
  const dashboard = config.role === 'worker' ? undefined : await loadDashboard()
  const app = await createServer({
    logger: options.logger,
    now: context.now,
    trustedProxies: config.trustedProxies,
    reportOutage: context.outages.report,
    isHttps,
    logFields: ({ principal }) =>
      principal && { organization_id: principal.organizationId, credential_id: principal.initiator.actor.id },
    prepareRequest: createGraphAddress(config.graphUrl),
    formatError: formatGraphError,
    ...(dashboard && { notFoundPage: dashboard.notFoundPage }),
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...options.capacity,
  })
  const cookie = createSessionCookie(isHttps)
  installDrain(app, options.drain)
  // Before the first route: it refuses to register a route without an access rule. A worker has only public routes.
  if (config.role !== 'worker') {
    installAccessControl(app, {
      auth: context.auth,
      countPublicRequest: createPublicLimits(context),
      cookie,
      origins: listAllowedOrigins(config.publicUrl),
      access: { ...ACCESS_RULES, ...options.extension?.access },
      allowsGraphParameters: config.graphQueryTokens === 'on',
    })
    installRequestRecording(app, context.requestLog)
    installHold(app, context.hold)
  }
  const registry = installMetrics(app, toMetricsOptions(config))
  installDeliveryMetrics(registry, context)
  installCounters(registry, context)
  if (dashboard) await installApi(app, context, cookie, dashboard.routes, options)
  await register(app, [probeRoutes(context, options.drain.isDraining)])
  return app
}

async function installApi(
  app: FastifyInstance,
  context: Context,
  cookie: SessionCookie,
  dashboardRoutes: FastifyPluginAsync,
  { capacity, extension }: HttpOptions,
): Promise<void> {
  const unverified = createBodyBudget(capacity?.unverifiedBytesMax ?? CAPACITY.unverifiedBytesMax)
  const sendList = createListResponses()
  const { sessions, account, organizations, members, invitations, onboarding } = context
  await installOpenApi(app)
  await register(app, [
    dashboardRoutes,
    connectPageRoutes(onboarding.mode),
    sandboxPageRoutes(context.simulatorUrl),
    inboundRoutes(context.inbound, unverified),
    pageAssetRoutes,
    billingPageRoutes({ ...context, sessionCookie: cookie }),
    passwordPageRoutes(context.passwordResets),
    verifyEmailPageRoutes(context.emailVerifications),
    finishSignUpPageRoutes(context.signUps, cookie),
    joinPageRoutes(invitations, cookie),
    paymentCallbackRoutes(context.paymentCallbacks, unverified),
  ])
  await group(app, '/api/v1', LIMITS.general, [
    apiKeyRoutes(context.apiKeys),
    auditRoutes(context.audit),
    subscriptionRoutes(context),
    costRoutes(context.costReports),
    reportedCostRoutes(context.costsOfAccounts),
    addonRoutes(context),
    checkoutRoutes(context),
    portalRoutes(context),
    channelRoutes(context, sendList),
    mediaRoutes(context.media),
    messageRoutes(context, LIMITS.sends),
    templateRoutes(context.templates),
    numberRoutes(context.numbers),
    onboardingRoutes(onboarding),
    listenerRoutes(context.listeners),
  ])
  await group(app, '/api/v1', LIMITS.webhooks, [
    endpointReadRoutes(context.endpoints, sendList, 'api'),
    endpointRoutes(context.endpoints),
    deliveryRoutes(context.deliveryLog, LIMITS.general),
  ])
  await group(app, FACADE, LIMITS.facade, [facadeRoutes(context.facade, 'upstream')])
  await group(app, GRAPH, LIMITS.facade, [facadeRoutes(context.facade, 'graph')])
  await group(app, '/console', LIMITS.general, [
    organizationRoutes(organizations),
    signUpRoutes(context.signUps, cookie),
    settingsRoutes({ settings: context.organizationSettings, organizations: context.organizations }),
    setupRoutes(context.firstRun),
    sessionRoutes(sessions, cookie),
    passwordResetRoutes(context.passwordResets),
    emailVerificationRoutes(context.emailVerifications),
    accountRoutes(account),
    memberRoutes(members),
    invitationRoutes(invitations, cookie),
    invoiceRoutes(context),
    priceRoutes(context),
    liveUpdateRoutes(context.liveUpdates),
    linkListRoutes(context.channels),
    consoleMessageRoutes(context),
    privacyRoutes(context),
    offboardingRoutes(context.offboarding),
    templateConsoleRoutes(context.facade),
    inspectorRoutes(context.inspectors),
    listenerListRoutes(context.listeners),
    sandboxRoutes(context.sandboxPhone),
    overviewRoutes(context),
    requestLogRoutes(context.requestLog),
  ])
  await group(app, '/console', LIMITS.webhookPages, [
    endpointReadRoutes(context.endpoints, sendList, 'console'),
    deliveryPageRoutes(context.deliveryLog),
    inspectionRoutes(context.deliveryLog, context.deliveryPages),
  ])
  if (extension) await group(app, '/api/v1', extension.limit, [extension.routes])
}

async function group(app: FastifyInstance, prefix: string, limit: Limit, plugins: FastifyPluginAsync[]): Promise<void> {
  async function addGroup(scope: FastifyInstance): Promise<void> {
    scope.addHook('onRoute', (route) => {
      route.config = { limit, ...route.config }
      if (prefix !== FACADE && prefix !== GRAPH) route.schema = { querystring: NO_PARAMETERS, ...route.schema }
    })
    await register(scope, plugins)
  }
  await register(app, [addGroup], { prefix })
}

/** Fastify compares a plugin without this name with every loaded module, which is a sixth of the time of a start. */
const DISPLAY_NAME = Symbol.for('fastify.display-name')

async function register(app: FastifyInstance, plugins: FastifyPluginAsync[], options = {}): Promise<void> {
  for (const plugin of plugins) await app.register(Object.assign(plugin, { [DISPLAY_NAME]: 'routes' }), options)
}
