import { asText, type JsonObject } from '../../json.ts'
import { type AppCallback, requireCallback, verifyCallback } from '../callbacks/callback.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { GraphError, invalid, required } from '../http/errors.ts'

const FIELDS = new Set([
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'automatic_events',
  'business_capability_update',
  'business_username_updates',
  'calls',
  'flows',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messages',
  'messaging_handovers',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'standby',
  'template_category_update',
  'user_id_update',
  'user_preferences',
])

/**
 * Without a subscription none of the account's webhooks are sent. One without a callback of its own removes the callback of
 * the one before.
 */
export const subscribe: Endpoint<'account'> = async (graph, { node: account, params }) => {
  const url = asText(params.override_callback_uri)
  if (url !== '') {
    const verifyToken = asText(params.verify_token)
    if (verifyToken === '') throw required('verify_token')
    await requireCallback({ url, path: 'override_callback_uri', verifyToken }, graph.random.digits(10), graph.app)
  }
  account.isSubscribed = true
  account.callbackUrl = url === '' ? undefined : url
  return SUCCESS
}

export const listSubscribedApps: Endpoint<'account'> = (graph, { node: account }) => {
  if (!account.isSubscribed) return { data: [] }
  const app: JsonObject = { id: graph.app.id, link: `${graph.url()}/_sim`, name: graph.app.name }
  return { data: [{ whatsapp_business_api_data: app, override_callback_uri: account.callbackUrl }] }
}

/** Sets the app's own callback, which only the app itself may do. */
export const subscribeApp: Endpoint<'app'> = async (graph, { params, token }) => {
  if (token.kind !== 'app') {
    throw new GraphError(400, { message: '(#15) This method must be called with an app access_token.', code: 15 })
  }
  const { object, callback_url: url, verify_token: verifyToken, fields } = params
  if (object !== 'whatsapp_business_account') {
    throw invalid('Param object must be one of {whatsapp_business_account}')
  }
  if (asText(url) === '') throw required('callback_url')
  if (asText(verifyToken) === '') throw required('verify_token')
  const names = Array.isArray(fields) ? fields.map(asText) : asText(fields).split(',').filter(Boolean)
  requireFields(graph.webhooks.callback, names)
  await verifyCallback(asText(url), asText(verifyToken), graph.random.digits(10), graph.app)
  graph.webhooks.callback.url = asText(url)
  graph.webhooks.callback.fields = names.length > 0 ? names : undefined
  return SUCCESS
}

/** One field that does not exist, or that the app may not have, refuses the whole list. */
function requireFields({ refusedFields, namesRefused }: AppCallback, names: readonly string[]): void {
  const wrong = names.find((name) => !FIELDS.has(name) || refusedFields.includes(name))
  if (wrong === undefined) return
  throw invalid(
    namesRefused ? `Param fields must not contain ${wrong}` : 'Param fields has a field that is not available',
  )
}
