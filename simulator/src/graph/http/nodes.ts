import type { Graph } from '../context.ts'
import type { Token } from '../model.ts'
import type { NodeKind, Nodes } from './call.ts'

export interface Node {
  kind: NodeKind
  node: Nodes[NodeKind]
  /** The account whose tokens may read the node. */
  wabaId?: string
}

/** The names of node types in error messages. */
export const NODE_TYPES: Readonly<Record<NodeKind, string>> = {
  phone: 'WhatsAppBusinessPhoneNumber',
  account: 'WhatsAppBusinessAccount',
  media: 'WhatsAppBusinessMedia',
  template: 'WhatsAppMessageTemplate',
  app: 'Application',
  upload: 'UploadSession',
  oauth: 'OAuth',
  debug_token: 'DebugToken',
}

/** Finds the node with this id. Ids are unique over all kinds of nodes. */
export function findNode({ app, clock, state }: Graph, id: string): Node | undefined {
  if (id === 'oauth' || id === 'debug_token') return { kind: id, node: app }
  if (id === app.id) return { kind: 'app', node: app }
  const upload = state.uploads.get(id)
  if (upload) return { kind: 'upload', node: upload }
  const account = state.accounts.get(id)
  if (account) return { kind: 'account', node: account, wabaId: id }
  const phone = state.phones.get(id)
  if (phone) return { kind: 'phone', node: phone, wabaId: phone.wabaId }
  const template = state.templates.get(id)
  if (template) return { kind: 'template', node: template, wabaId: template.wabaId }
  const media = state.media.get(id)
  return media && clock.now() < media.expiresAt ? { kind: 'media', node: media, wabaId: media.wabaId } : undefined
}

/** A token may read the nodes of the accounts it was granted, until the partner is removed from them. */
export function isVisible(graph: Graph, token: Token, { wabaId }: Node): boolean {
  if (wabaId === undefined) return true
  return token.wabaIds.includes(wabaId) && graph.state.accounts.get(wabaId)?.isRemoved === false
}
