export interface PortalFeatures {
  customer_update: { allowed_updates: string[]; enabled: boolean }
  invoice_history: { enabled: boolean }
  payment_method_update: { enabled: boolean; payment_method_configuration: null }
  subscription_cancel: {
    cancellation_reason: { enabled: boolean; feedback_options: null; options: string[] }
    enabled: boolean
    mode: 'at_period_end' | 'immediately'
    proration_behavior: 'none'
  }
  subscription_pause: { duration: { interval_options: []; type: 'indefinite' }; enabled: false }
  subscription_update: {
    billing_cycle_anchor: null
    default_allowed_updates: []
    enabled: false
    proration_behavior: 'none'
    schedule_at_period_end: { conditions: [] }
    trial_update_behavior: 'end_trial'
  }
}

export interface PortalConfiguration {
  id: string
  object: 'billing_portal.configuration'
  active: boolean
  application: null
  business_profile: {
    headline: string | null
    privacy_policy_url: string | null
    terms_of_service_url: string | null
  }
  created: number
  default_return_url: string | null
  features: PortalFeatures
  is_default: false
  livemode: false
  login_page: { enabled: false; url: null }
  metadata: Record<string, string>
  name: string | null
  updated: number
}

/** Everything is off until a configuration switches it on; plan changes stay off. */
export function portalFeatures(): PortalFeatures {
  return {
    customer_update: { allowed_updates: [], enabled: false },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: false, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      enabled: false,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      enabled: false,
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
    },
  }
}

export interface PortalFlow {
  after_completion: {
    hosted_confirmation: null
    redirect: { return_url: string } | null
    type: 'portal_homepage' | 'redirect'
  }
  customer_update: null
  subscription_cancel: { retention: null; subscription: string } | null
  subscription_pause: null
  subscription_update: null
  subscription_update_confirm: null
  type: 'payment_method_update' | 'subscription_cancel'
}

export interface PortalSession {
  id: string
  object: 'billing_portal.session'
  configuration: string
  created: number
  customer: string
  customer_account: null
  flow: PortalFlow | null
  livemode: false
  locale: string | null
  on_behalf_of: null
  return_url: string | null
  url: string
}
