import { asText, type JsonObject } from '../json.ts'
import { accountOf, type Endpoint, type GraphCall, SUCCESS } from './call.ts'
import { challenge } from './callbacks.ts'
import { GraphError, invalid, required } from './errors.ts'

/** Without a subscription none of the account's webhooks are sent. An override is challenged before it is believed. */
export const subscribe: Endpoint = async (graph, call) => {
  const account = accountOf(graph, call)
  const url = asText(call.params.override_callback_uri)
  if (url !== '') {
    if (call.params.verify_token === undefined) throw required('verify_token')
    await challenge(url, asText(call.params.verify_token), graph.random.digits(10), graph.app)
  }
  account.subscription = { url: url === '' ? undefined : url }
  return SUCCESS
}

export const listSubscribedApps: Endpoint = (graph, call) => {
  const { subscription } = accountOf(graph, call)
  if (!subscription) return { body: { data: [] } }
  const app: JsonObject = { id: graph.app.id, link: `${graph.url()}/_sim`, name: graph.app.name }
  return { body: { data: [{ whatsapp_business_api_data: app, override_callback_uri: subscription.url }] } }
}

export const unsubscribe: Endpoint = (graph, call) => {
  accountOf(graph, call).subscription = undefined
  return SUCCESS
}

/** Sets the app's own callback, which only the app itself may do. */
export const subscribeApp: Endpoint = async (graph, call) => {
  requireAppToken(call)
  const { object, callback_url: url, verify_token: verifyToken, fields } = call.params
  if (object !== 'whatsapp_business_account') {
    throw invalid('Param object must be one of {whatsapp_business_account}')
  }
  if (asText(url) === '') throw required('callback_url')
  if (asText(verifyToken) === '') throw required('verify_token')
  await challenge(asText(url), asText(verifyToken), graph.random.digits(10), graph.app)
  const names = Array.isArray(fields) ? fields.map(asText) : asText(fields).split(',').filter(Boolean)
  graph.webhooks.callback.url = asText(url)
  graph.webhooks.callback.fields = names.length > 0 ? names : undefined
  return SUCCESS
}

export const listAppSubscriptions: Endpoint = (graph, call) => {
  requireAppToken(call)
  const { url, fields } = graph.webhooks.callback
  if (url === undefined) return { body: { data: [] } }
  const names = (fields ?? []).map((name) => ({ name, version: call.version }))
  const subscription = { object: 'whatsapp_business_account', callback_url: url, active: true, fields: names }
  return { body: { data: [subscription] } }
}

export const unsubscribeApp: Endpoint = (graph, call) => {
  requireAppToken(call)
  graph.webhooks.callback.url = undefined
  return SUCCESS
}

function requireAppToken({ token }: GraphCall): void {
  if (token.kind === 'app') return
  throw new GraphError(400, { message: '(#15) This method must be called with an app access_token.', code: 15 })
}
