import type { JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, getPhoneAccount, SUCCESS } from '../http/call.ts'
import { invalid, refusal } from '../http/errors.ts'
import { requireText } from '../http/parameters.ts'
import type { Phone } from '../model.ts'
import { getNumberSettings } from './number-settings.ts'

export const USERNAME = /^[A-Za-z0-9._]{3,35}$/

export const getUsername: Endpoint<'phone'> = (graph, { node: phone }) => {
  const { username } = getNumberSettings(graph, phone)
  return username === undefined ? {} : { username, status: 'approved' }
}

/** A username belongs to one number. The error differs for one that another number of the same business has. */
export const setUsername: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const username = requireText(params, 'username', '')
  if (!USERNAME.test(username)) {
    throw invalid('Param username must have 3 to 35 letters, digits, periods and underscores.')
  }
  const account = getPhoneAccount(graph, phone)
  if (account.verificationStatus !== 'verified') throw refusal(147002, 'The business is not verified.')
  const holder = [...graph.state.phones.values()].find((other) => {
    const taken = getNumberSettings(graph, other).username
    return other.id !== phone.id && taken?.toLowerCase() === username.toLowerCase()
  })
  if (holder) {
    const isSameBusiness = getPhoneAccount(graph, holder).businessId === account.businessId
    throw refusal(isSameBusiness ? 147005 : 147001, `The username ${username} is taken.`)
  }
  getNumberSettings(graph, phone).username = username
  emitUsername(graph, phone, { username, status: 'approved' })
  return { status: 'approved' }
}

function emitUsername(graph: Graph, phone: Phone, members: JsonObject): void {
  graph.webhooks.emit({
    entryId: phone.wabaId,
    wabaId: phone.wabaId,
    isTimed: true,
    field: 'business_username_updates',
    value: { display_phone_number: phone.digits, ...members },
  })
}

export const deleteUsername: Endpoint<'phone'> = (graph, { node: phone }) => {
  const { username } = getNumberSettings(graph, phone)
  getNumberSettings(graph, phone).username = undefined
  if (username !== undefined) emitUsername(graph, phone, { status: 'deleted' })
  return SUCCESS
}
