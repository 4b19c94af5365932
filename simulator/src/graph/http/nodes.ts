import type { Graph } from '../context.ts'
import type { Token } from '../model.ts'

export type NodeKind = 'phone' | 'account' | 'media' | 'app' | 'upload' | 'oauth' | 'debug_token'

export interface Node {
  kind: NodeKind
  /** The account whose tokens may read the node. */
  wabaId?: string
}

/** The names of node types in error messages. */
export const NODE_TYPES: Readonly<Record<NodeKind, string>> = {
  phone: 'WhatsAppBusinessPhoneNumber',
  account: 'WhatsAppBusinessAccount',
  media: 'WhatsAppBusinessMedia',
  app: 'Application',
  upload: 'UploadSession',
  oauth: 'OAuth',
  debug_token: 'DebugToken',
}

/** Finds the node with this id. Ids are unique over all kinds of nodes. */
export function findNode(graph: Graph, id: string): Node | undefined {
  const { state, app } = graph
  if (id === 'oauth' || id === 'debug_token') return { kind: id }
  if (id === app.id) return { kind: 'app' }
  if (id.startsWith('upload:')) return state.uploads.has(id) ? { kind: 'upload' } : undefined
  if (state.accounts.has(id)) return { kind: 'account', wabaId: id }
  const phone = state.phones.get(id)
  if (phone) return { kind: 'phone', wabaId: phone.wabaId }
  const media = state.media.get(id)
  return media && graph.clock.now() < media.expiresAt ? { kind: 'media', wabaId: media.wabaId } : undefined
}

/** A token may read the nodes of the accounts it was granted, until the partner is removed from them. */
export function isVisible(graph: Graph, token: Token, node: Node): boolean {
  if (node.wabaId === undefined) return true
  return token.wabaIds.includes(node.wabaId) && graph.state.accounts.get(node.wabaId)?.isRemoved === false
}
