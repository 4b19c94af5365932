import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Json, JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Account, Phone, Token } from '../model.ts'
import { missingObject } from './errors.ts'

/** A request that has passed the door: authenticated, its node found, its parameters read. */
export interface GraphCall {
  method: string
  version: string
  /** The first path segment: the node's id. */
  id: string
  params: JsonObject
  headers: IncomingHttpHeaders
  /** For the routes that take their body as bytes. */
  stream: IncomingMessage
  token: Token
}

export interface GraphResponse {
  status?: number
  headers?: Record<string, string>
  body?: Json
  stream?: Readable
}

export type Endpoint = (graph: Graph, call: GraphCall) => GraphResponse | Promise<GraphResponse>

export const SUCCESS: GraphResponse = { body: { success: true } }

export function requirePhone(graph: Graph, call: GraphCall): Phone {
  const phone = graph.state.phones.get(call.id)
  if (!phone) throw missingObject(call.method, call.id)
  return phone
}

export function requireAccount(graph: Graph, call: GraphCall): Account {
  const account = graph.state.accounts.get(call.id)
  if (!account) throw missingObject(call.method, call.id)
  return account
}

/** The account a number belongs to; numbers are only ever made with one. */
export function getPhoneAccount(graph: Graph, phone: Phone): Account {
  const account = graph.state.accounts.get(phone.wabaId)
  if (!account) throw missingObject('get', phone.wabaId)
  return account
}
