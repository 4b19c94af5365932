import { asText, type JsonObject } from '../../json.ts'
import { verifyCallback } from '../callbacks/callback.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { GraphError, invalid, required } from '../http/errors.ts'

/** Without a subscription none of the account's webhooks are sent. */
export const subscribe: Endpoint<'account'> = (_graph, { node: account }) => {
  account.isSubscribed = true
  return SUCCESS
}

export const listSubscribedApps: Endpoint<'account'> = (graph, { node: account }) => {
  if (!account.isSubscribed) return { data: [] }
  const app: JsonObject = { id: graph.app.id, link: `${graph.url()}/_sim`, name: graph.app.name }
  return { data: [{ whatsapp_business_api_data: app }] }
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
  await verifyCallback(asText(url), asText(verifyToken), graph.random.digits(10), graph.app)
  const names = Array.isArray(fields) ? fields.map(asText) : asText(fields).split(',').filter(Boolean)
  graph.webhooks.callback.url = asText(url)
  graph.webhooks.callback.fields = names.length > 0 ? names : undefined
  return SUCCESS
}
