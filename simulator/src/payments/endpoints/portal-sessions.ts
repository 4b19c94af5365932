import { nowOf, type Payments } from '../context.ts'
import { type Endpoint, endpoint, found } from '../http/endpoint.ts'
import { invalid } from '../http/errors.ts'
import { choice, object, optional, type Params, text, url } from '../http/params.ts'
import type { PortalFlow, PortalSession } from '../objects/portal.ts'
import { CONFIGURATION } from './portal-configurations.ts'

const FLOW = object({
  after_completion: optional(
    object({ type: choice('portal_homepage', 'redirect'), redirect: optional(object({ return_url: url })) }),
  ),
  subscription_cancel: optional(object({ subscription: text })),
  type: choice('payment_method_update', 'subscription_cancel'),
})

const NEW_SESSION = object({
  configuration: optional(text),
  customer: text,
  flow_data: optional(FLOW),
  locale: optional(choice('auto', 'en', 'pt', 'pt-BR')),
  return_url: optional(url),
})

export const PORTAL_SESSION_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST', '/v1/billing_portal/sessions', NEW_SESSION, (payments, call) => openSession(payments, call.params)),
]

function openSession(payments: Payments, params: Params<typeof NEW_SESSION>): PortalSession {
  const { id: customer } = found(payments.state.customers, params.customer, 'customer', 'customer')
  if (params.configuration === undefined) {
    const page = 'https://dashboard.stripe.com/test/settings/billing/portal'
    throw invalid(
      `No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at ${page}.`,
    )
  }
  const configuration = found(payments.state.portalConfigurations, params.configuration, CONFIGURATION, 'configuration')
  if (!configuration.active) {
    throw invalid('The configuration provided is inactive and cannot be used.', { param: 'configuration' })
  }
  const id = payments.newId('portalSession')
  const session: PortalSession = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: nowOf(payments),
    customer,
    customer_account: null,
    flow: params.flow_data ? flowOf(payments, customer, params.flow_data) : null,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? configuration.default_return_url,
    url: `${payments.url()}/p/session/test_${payments.random.text(40)}`,
  }
  payments.state.portalSessions.set(id, session)
  payments.events.emit('billing_portal.session.created', session)
  return session
}

function flowOf(payments: Payments, customer: string, flow: Params<typeof FLOW>): PortalFlow {
  const subscription = flow.subscription_cancel?.subscription
  if (flow.type === 'subscription_cancel') {
    const known = payments.state.subscriptions.get(subscription ?? '')
    if (known?.customer !== customer) {
      throw invalid(`No such subscription: '${subscription ?? ''}'`, {
        param: 'flow_data[subscription_cancel][subscription]',
        code: 'resource_missing',
      })
    }
  }
  const redirect = flow.after_completion?.redirect ?? null
  return {
    after_completion: { hosted_confirmation: null, redirect, type: flow.after_completion?.type ?? 'portal_homepage' },
    customer_update: null,
    subscription_cancel: subscription === undefined ? null : { retention: null, subscription },
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type: flow.type,
  }
}
