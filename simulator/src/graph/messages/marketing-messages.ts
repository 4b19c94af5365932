import { asText, type JsonObject } from '../../json.ts'
import { type Endpoint, getPhoneAccount } from '../http/call.ts'
import { refusal, required } from '../http/errors.ts'
import { parseFlag, requireChoice, requireObject, requireText } from '../http/parameters.ts'
import { findTemplate } from '../templates/template-send.ts'
import type { MessageContext } from './media-object.ts'
import { acceptMessage, readMessage } from './messages.ts'

const POLICIES = ['CLOUD_API_FALLBACK', 'STRICT']

/** The Marketing Messages API: marketing templates to phone numbers, from accounts that have it. */
export const postMarketingMessage: Endpoint<'phone'> = (graph, { node: phone, params: given }) => {
  const params = readMessage(given)
  if (getPhoneAccount(graph, phone).refusesMarketingMessages) {
    throw refusal(131055, 'The account has not accepted the terms of the Marketing Messages API.')
  }
  if (params.type !== 'template') throw refusal(134100, 'Only messages of the type template can be sent here.')
  if (params.to === undefined) throw required('to')
  if (params.recipient_type !== undefined) requireChoice(params.recipient_type, 'recipient_type', ['individual'])
  if (params.product_policy !== undefined) requireChoice(params.product_policy, 'product_policy', POLICIES)
  if (params.message_activity_sharing !== undefined) {
    parseFlag(params.message_activity_sharing, 'message_activity_sharing')
  }
  checkCategory({ graph, phone }, params)
  return acceptMessage(graph, phone, params, true)
}

/** A template that does not exist is refused by the checks of every message. */
function checkCategory(context: MessageContext, params: JsonObject): void {
  const request = requireObject(params, 'template')
  const name = requireText(request, 'name', 'template')
  const language = asText(requireObject(request, 'language', 'template').code)
  const template = findTemplate(context, name, language)
  if (template && template.category !== 'MARKETING') throw refusal(132018, `template (${name}) is not of MARKETING`)
}
