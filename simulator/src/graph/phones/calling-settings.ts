import { asList, asObject, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { checkKeys, requireChoice, requireObject, requireText } from '../http/parameters.ts'
import type { NumberSettings, Phone } from '../model.ts'
import { getNumberSettings } from './number-settings.ts'

const STATUSES = ['ENABLED', 'DISABLED']
const MEMBERS = ['status', 'call_icon_visibility', 'call_hours', 'callback_permission_status', 'sip']

/** The passwords of SIP servers are shown only on request. */
export const getCallingSettings: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const showsPasswords = String(params.include_sip_credentials) === 'true'
  return { calling: toView(graph, phone, showsPasswords) }
}

export const setCallingSettings: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const calling = requireObject(params, 'calling')
  checkKeys(calling, 'calling', MEMBERS)
  for (const name of ['status', 'callback_permission_status']) {
    if (calling[name] !== undefined) requireChoice(calling[name], `calling['${name}']`, STATUSES)
  }
  if (calling.sip !== undefined) checkSip(requireObject(calling, 'sip', 'calling'))
  const settings = getNumberSettings(graph, phone)
  const { status, ...rest } = calling
  settings.calling = { ...settings.calling, ...rest }
  if (status !== undefined) phone.callingEnabled = status === 'ENABLED'
  return SUCCESS
}

/** Calls of a number with SIP cannot be managed by the API. */
export function hasSip({ calling }: NumberSettings): boolean {
  return asObject(calling.sip).status === 'ENABLED'
}

function checkSip(sip: JsonObject): void {
  requireChoice(sip.status, "calling['sip']['status']", STATUSES)
  for (const [index, server] of asList(sip.servers).entries()) {
    requireText(asObject(server), 'hostname', `calling['sip']['servers'][${index}]`)
  }
}

function toView(graph: Graph, phone: Phone, showsPasswords: boolean): JsonObject {
  const { sip, ...calling } = getNumberSettings(graph, phone).calling
  const password = showsPasswords ? `sip-password-of-${phone.id}` : undefined
  const servers = asList(asObject(sip).servers).map((server) => ({
    app_id: graph.app.id,
    ...asObject(server),
    sip_user_password: password,
  }))
  return {
    status: phone.callingEnabled ? 'ENABLED' : 'DISABLED',
    call_icon_visibility: 'DEFAULT',
    callback_permission_status: 'DISABLED',
    ...calling,
    sip: sip === undefined ? undefined : { ...asObject(sip), servers },
  }
}
