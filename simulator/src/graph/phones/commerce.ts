import { type Endpoint, SUCCESS } from '../http/call.ts'
import { parseFlag } from '../http/parameters.ts'
import { getNumberSettings } from './number-settings.ts'

const FLAGS = ['is_cart_enabled', 'is_catalog_visible'] as const

export const getCommerceSettings: Endpoint<'phone'> = (graph, { node: phone }) => {
  return { data: [{ ...getNumberSettings(graph, phone).commerce, id: phone.id }] }
}

export const setCommerceSettings: Endpoint<'phone'> = (graph, { node: phone, params }) => {
  const given = FLAGS.filter((name) => params[name] !== undefined)
  const changes = Object.fromEntries(given.map((name) => [name, parseFlag(params[name], name)]))
  Object.assign(getNumberSettings(graph, phone).commerce, changes)
  return SUCCESS
}
