import type { Graph } from '../context.ts'
import type { Endpoint } from '../http/call.ts'
import { type Members, selectFields } from '../http/fields.ts'
import { buildPage } from '../http/paging.ts'
import type { Account } from '../model.ts'
import { phoneNode } from '../phones/phones.ts'
import { pricingAnalytics } from './pricing-analytics.ts'

const DEFAULTS = ['id', 'name', 'timezone_id', 'message_template_namespace']

export const getAccount: Endpoint<'account'> = (graph, { node, params }) => accountNode(graph, node, params.fields)

export function accountNode(graph: Graph, account: Account, fields: unknown) {
  const expression = typeof fields === 'string' ? fields : undefined
  return selectFields(accountMembers(graph, account), expression, DEFAULTS, 'WhatsAppBusinessAccount')
}

/** Newest first, as the platform lists them. */
export const listPhoneNumbers: Endpoint<'account'> = (graph, call) => {
  const { node: account, params } = call
  const phones = [...graph.state.phones.values()].filter((phone) => phone.wabaId === account.id).reverse()
  const show = (phone: (typeof phones)[number]) => phoneNode(graph, phone, params.fields)
  return buildPage(graph, call, `${account.id}/phone_numbers`, phones, show)
}

function accountMembers(graph: Graph, account: Account): Members {
  const owner = graph.state.businesses.get(account.businessId)
  return {
    id: () => account.id,
    name: () => account.name,
    currency: () => account.currency,
    timezone_id: () => account.timezoneId,
    message_template_namespace: () => account.namespace,
    account_review_status: () => account.reviewStatus,
    business_verification_status: () => account.verificationStatus,
    country: () => account.country,
    creation_time: () => Math.floor(account.createdAt / 1_000),
    is_enabled_for_insights: () => true,
    owner_business_info: () => ({ name: owner?.name, id: account.businessId }),
    on_behalf_of_business_info: () => ({ name: owner?.name, id: account.businessId, status: 'APPROVED' }),
    ownership_type: () => 'CLIENT_OWNED',
    primary_business_location: () => account.country,
    status: () => (account.isLocked ? 'DISABLED' : 'ACTIVE'),
    whatsapp_business_manager_messaging_limit: () => account.messagingLimit,
    marketing_messages_onboarding_status: () => (account.refusesMarketingMessages ? 'ELIGIBLE' : 'ONBOARDED'),
    health_status: () => ({ can_send_message: account.isLocked ? 'BLOCKED' : 'AVAILABLE', entities: [] }),
    pricing_analytics: (field) => pricingAnalytics(graph, account, field),
  }
}
