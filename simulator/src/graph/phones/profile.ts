import { asList, asText, type Json, type JsonObject } from '../../json.ts'
import { type Endpoint, SUCCESS } from '../http/call.ts'
import { invalid, required } from '../http/errors.ts'
import { parseFields } from '../http/fields.ts'

const TEXT_MAX = { about: 139, address: 256, description: 512, email: 128 }
const FIELDS = ['about', 'address', 'description', 'email', 'profile_picture_url', 'websites', 'vertical']
const VERTICALS = [
  '',
  'UNDEFINED',
  'OTHER',
  'AUTO',
  'BEAUTY',
  'APPAREL',
  'EDU',
  'ENTERTAIN',
  'EVENT_PLAN',
  'FINANCE',
  'GROCERY',
  'GOVT',
  'HOTEL',
  'HEALTH',
  'NONPROFIT',
  'PROF_SERVICES',
  'RETAIL',
  'TRAVEL',
  'RESTAURANT',
  'ALCOHOL',
  'ONLINE_GAMBLING',
  'PHYSICAL_GAMBLING',
  'OTC_DRUGS',
]

/** Without `fields` the response has only `messaging_product`. Members that were never set are left out. */
export const getProfile: Endpoint<'phone'> = (_graph, { node: phone, params }) => {
  const expression = asText(params.fields)
  const names = expression === '' ? [] : parseFields(expression).map((field) => field.name)
  const unknown = names.find((name) => !FIELDS.includes(name) && name !== 'messaging_product' && name !== 'id')
  if (unknown) {
    throw invalid(`Tried accessing nonexisting field (${unknown}) on node type (WhatsAppBusinessProfile)`)
  }
  const members = Object.fromEntries(names.map((name) => [name, phone.profile[name]]))
  return { data: [{ ...members, messaging_product: 'whatsapp' }] }
}

export const updateProfile: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  if (params.messaging_product !== 'whatsapp') throw required('messaging_product')
  const changes: JsonObject = {}
  for (const [name, max] of Object.entries(TEXT_MAX)) {
    if (params[name] !== undefined) changes[name] = checkedText(name, params[name], max)
  }
  if (params.websites !== undefined) changes.websites = checkedWebsites(params.websites)
  if (params.vertical !== undefined) changes.vertical = checkedVertical(params.vertical)
  const handle = params.profile_picture_handle
  if (handle !== undefined) {
    if (!graph.state.handles.has(asText(handle))) throw invalid('Param profile_picture_handle is not a valid handle')
    changes.profile_picture_url = `https://pps.whatsapp.net/v/t61.24694-24/${phone.id}.jpg`
  }
  Object.assign(phone.profile, changes)
  return SUCCESS
}

function checkedText(name: string, value: Json, max: number): string {
  if (typeof value !== 'string') throw invalid(`Param ${name} must be a string.`)
  if (value.length > max) throw invalid(`Param ${name} must be at most ${max} characters long.`)
  if (name === 'about' && value.length === 0) throw invalid('Param about must be at least 1 characters long.')
  if (name === 'email' && value !== '' && !/^\S+@\S+\.\S+$/.test(value))
    throw invalid('Param email is not a valid email.')
  return value
}

function checkedWebsites(value: Json): string[] {
  const websites = asList(value).map(asText)
  if (!Array.isArray(value) || websites.length > 2) throw invalid('Param websites must have at most 2 elements.')
  const wrong = websites.find((website) => website.length > 256 || !/^https?:\/\/./.test(website))
  if (wrong !== undefined)
    throw invalid('Param websites must be URLs with http:// or https://, at most 256 characters.')
  return websites
}

function checkedVertical(value: Json): string {
  const vertical = asText(value)
  if (VERTICALS.includes(vertical)) return vertical
  throw invalid(`Param vertical must be one of {${VERTICALS.filter(Boolean).join(', ')}} - got "${vertical}".`)
}
