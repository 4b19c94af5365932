import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Json, JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Account, Phone, Token } from '../model.ts'
import { missingObject } from './errors.ts'

/** An authenticated request whose node exists and whose parameters are parsed. */
export interface GraphCall {
  method: string
  version: string
  /** The first path segment: the node's id. */
  id: string
  params: JsonObject
  headers: IncomingHttpHeaders
  /** The unread body, for routes with `isRaw`. */
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

/** The account of a number. Every number has one. */
export function getPhoneAccount(graph: Graph, phone: Phone): Account {
  const account = graph.state.accounts.get(phone.wabaId)
  if (!account) throw missingObject('get', phone.wabaId)
  return account
}
