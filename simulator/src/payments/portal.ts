import { nowInSeconds, type Payments } from './context.ts'
import { defineEndpoint, type Endpoint, listObjects, PAGING, requireObject } from './http/endpoint.ts'
import { invalidRequest } from './http/errors.ts'
import { boolean, choice, list, metadata, object, optional, type Params, text, url } from './http/params.ts'
import type { PortalConfiguration, PortalSession } from './objects.ts'

const KIND = 'billing_portal.configuration'
const DASHBOARD = 'https://dashboard.stripe.com/test/settings/billing/portal'

const FEATURE = optional(object({ enabled: boolean }))
const UPDATES = choice('address', 'email', 'name', 'phone', 'shipping', 'tax_id')
const NEW_CONFIGURATION = object({
  features: object({
    customer_update: optional(object({ allowed_updates: optional(list(UPDATES)), enabled: boolean })),
    invoice_history: FEATURE,
    payment_method_update: FEATURE,
    subscription_cancel: optional(object({ enabled: boolean, mode: optional(choice('at_period_end')) })),
    subscription_update: FEATURE,
  }),
  metadata: optional(metadata),
  name: optional(text),
})

const NEW_SESSION = object({ configuration: optional(text), customer: text, return_url: optional(url) })

export const PORTAL_ENDPOINTS: readonly Endpoint[] = [
  defineEndpoint('POST', '/billing_portal/configurations', NEW_CONFIGURATION, (payments, params) => {
    const configuration: PortalConfiguration = {
      id: payments.newId('bpc'),
      object: KIND,
      active: true,
      features: readFeatures(params.features),
      metadata: params.metadata ?? {},
      name: params.name ?? null,
    }
    payments.state.portalConfigurations.set(configuration.id, configuration)
    return configuration
  }),
  defineEndpoint(
    'GET',
    '/billing_portal/configurations',
    object({ ...PAGING, active: optional(boolean) }),
    ({ state }, { active, limit }) => {
      const page = { url: '/v1/billing_portal/configurations', limit }
      return listObjects(state.portalConfigurations, page, (one) => active === undefined || one.active === active)
    },
  ),
  defineEndpoint('POST', '/billing_portal/sessions', NEW_SESSION, createSession),
]

/** A feature that the request leaves out is off. */
function readFeatures(features: Params<typeof NEW_CONFIGURATION>['features']): PortalConfiguration['features'] {
  if (features.subscription_update?.enabled) {
    const param = 'features[subscription_update][enabled]'
    throw invalidRequest('The portal of the simulator cannot change plans.', { param })
  }
  const { customer_update: update, subscription_cancel: cancel } = features
  return {
    customer_update: { allowed_updates: update?.allowed_updates ?? [], enabled: update?.enabled ?? false },
    invoice_history: features.invoice_history ?? { enabled: false },
    payment_method_update: features.payment_method_update ?? { enabled: false },
    subscription_cancel: { enabled: cancel?.enabled ?? false, mode: 'at_period_end' },
    subscription_update: { enabled: false },
  }
}

function createSession(payments: Payments, params: Params<typeof NEW_SESSION>): PortalSession {
  const { state } = payments
  const customer = requireObject(state.customers, params.customer, 'customer', 'customer')
  if (params.configuration === undefined) {
    throw invalidRequest(
      `No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at ${DASHBOARD}.`,
    )
  }
  const configuration = requireObject(state.portalConfigurations, params.configuration, KIND, 'configuration')
  const session: PortalSession = {
    id: payments.newId('bps'),
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: nowInSeconds(payments),
    customer: customer.id,
    return_url: params.return_url ?? null,
    url: `${payments.url()}/p/session/test_${payments.random.text(40)}`,
  }
  state.portalSessions.set(session.id, session)
  return session
}
