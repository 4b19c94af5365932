import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { PAGING, pageOf } from '../http/lists.ts'
import { boolean, choice, emptyable, list, metadata, object, optional, type Params, text, url } from '../http/params.ts'
import { mergedMetadata } from '../metadata.ts'
import { type PortalConfiguration, type PortalFeatures, portalFeatures } from '../objects/portal.ts'

const REASON = object({ enabled: boolean, options: optional(emptyable(list(text))) })
const FEATURES = object({
  customer_update: optional(
    object({
      allowed_updates: optional(emptyable(list(choice('address', 'email', 'name', 'phone', 'shipping', 'tax_id')))),
      enabled: boolean,
    }),
  ),
  invoice_history: optional(object({ enabled: boolean })),
  payment_method_update: optional(object({ enabled: boolean })),
  subscription_cancel: optional(
    object({
      cancellation_reason: optional(REASON),
      enabled: boolean,
      mode: optional(choice('at_period_end', 'immediately')),
      proration_behavior: optional(choice('none')),
    }),
  ),
  subscription_update: optional(object({ enabled: boolean })),
})

const FIELDS = {
  business_profile: optional(
    object({
      headline: optional(emptyable(text)),
      privacy_policy_url: optional(url),
      terms_of_service_url: optional(url),
    }),
  ),
  default_return_url: optional(emptyable(url)),
  metadata: optional(emptyable(metadata)),
  name: optional(emptyable(text)),
}
const CHANGED = object({ ...FIELDS, active: optional(boolean), features: optional(FEATURES) })

export const CONFIGURATION = 'billing_portal.configuration'

export const PORTAL_CONFIGURATION_ENDPOINTS: readonly Endpoint[] = [
  endpoint(
    'POST',
    '/v1/billing_portal/configurations',
    object({ ...FIELDS, features: FEATURES }),
    (payments, { params }) => {
      const configuration = newConfiguration(payments)
      change(payments, configuration, { ...params, active: undefined })
      payments.state.portalConfigurations.set(configuration.id, configuration)
      payments.events.emit('billing_portal.configuration.created', configuration)
      return configuration
    },
  ),
  endpoint(
    'GET',
    '/v1/billing_portal/configurations',
    object({ ...PAGING, active: optional(boolean), is_default: optional(boolean) }),
    ({ state }, { params }) => {
      const all = [...state.portalConfigurations.values()]
        .filter(({ active }) => params.active === undefined || active === params.active)
        .filter(({ is_default }) => params.is_default === undefined || is_default === params.is_default)
      return pageOf(all, params, { url: '/v1/billing_portal/configurations', kind: CONFIGURATION })
    },
  ),
  endpoint('GET', '/v1/billing_portal/configurations/:id', object({}), ({ state }, { id }) => {
    return found(state.portalConfigurations, id, CONFIGURATION)
  }),
  endpoint('POST', '/v1/billing_portal/configurations/:id', CHANGED, (payments, { params, id }) => {
    const configuration = found(payments.state.portalConfigurations, id, CONFIGURATION)
    payments.events.change('billing_portal.configuration.updated', configuration, () => {
      change(payments, configuration, params)
    })
    return configuration
  }),
]

function newConfiguration(payments: Payments): PortalConfiguration {
  const now = nowOf(payments)
  return {
    id: payments.newId('portalConfiguration'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: now,
    default_return_url: null,
    features: portalFeatures(),
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: now,
  }
}

function change(payments: Payments, configuration: PortalConfiguration, params: Params<typeof CHANGED>): void {
  configuration.active = params.active ?? configuration.active
  Object.assign(configuration.business_profile, given(params.business_profile ?? {}))
  if (params.default_return_url !== undefined) configuration.default_return_url = params.default_return_url
  if (params.name !== undefined) configuration.name = params.name
  if (params.metadata !== undefined) configuration.metadata = mergedMetadata(configuration.metadata, params.metadata)
  if (params.features) changeFeatures(configuration.features, params.features)
  configuration.updated = nowOf(payments)
}

function changeFeatures(features: PortalFeatures, params: Params<typeof FEATURES>): void {
  if (params.subscription_update?.enabled) {
    const param = 'features[subscription_update][enabled]'
    throw invalid('The simulated portal cannot change plans.', { param })
  }
  Object.assign(features.customer_update, given({ ...params.customer_update }))
  features.customer_update.allowed_updates ??= []
  Object.assign(features.invoice_history, given({ ...params.invoice_history }))
  Object.assign(features.payment_method_update, given({ ...params.payment_method_update }))
  const { cancellation_reason: reason, ...cancel } = params.subscription_cancel ?? {}
  Object.assign(features.subscription_cancel, given(cancel))
  if (!reason) return
  const { cancellation_reason: known } = features.subscription_cancel
  Object.assign(known, { enabled: reason.enabled, options: reason.options ?? known.options })
}

/** Only what a request gave. */
function given(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
