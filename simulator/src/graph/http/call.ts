import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Json, JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import type { Account, Media, Phone, Template, Token, Upload } from '../model.ts'
import type { App } from '../options.ts'
import { missingObject } from './errors.ts'

/** The first part of a path. The code exchange and the description of a token belong to the app. */
export interface Nodes {
  phone: Phone
  account: Account
  media: Media
  template: Template
  upload: Upload
  app: App
  oauth: App
  debug_token: App
}

export type NodeKind = keyof Nodes

/** An authenticated request whose node exists and whose parameters are parsed. */
export interface GraphCall<Kind extends NodeKind = NodeKind> {
  method: string
  version: string
  node: Nodes[Kind]
  /** The third segment of the path, for routes with an item of an edge. */
  item: string
  params: JsonObject
  headers: IncomingHttpHeaders
  /** The unread body, for routes with `isRaw`. */
  stream: IncomingMessage
  token: Token
}

/** Without a body or a file, an error is the HTML of an outage. */
export interface GraphResponse {
  status?: number
  headers?: Record<string, string>
  body?: Json
  file?: Readable
}

/** Returns the body of the response. */
export type Endpoint<Kind extends NodeKind> = (graph: Graph, call: GraphCall<Kind>) => Json | Promise<Json>

export const SUCCESS: JsonObject = { success: true }

/** The account of a number. Every number has one. */
export function getPhoneAccount(graph: Graph, phone: Phone): Account {
  const account = graph.state.accounts.get(phone.wabaId)
  if (!account) throw missingObject('get', phone.wabaId)
  return account
}
