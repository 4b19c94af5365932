import type { Scope } from '../auth/scopes.ts'

/** What an id in a path can be. Whatever is none of the channel's own is nothing at all. */
export type NodeKind = 'phone' | 'waba' | 'media'

type Method = 'GET' | 'POST' | 'DELETE'
type Path = `{${NodeKind}}` | `{${NodeKind}}/${string}`

const FIELDS = ['fields']
const PRODUCT = ['messaging_product']
/** Also what is left of the query in the addresses of further pages. */
export const TEMPLATE_QUERY: readonly string[] = [
  ...[...FIELDS, 'limit', 'after', 'before', 'name', 'name_or_content', 'content', 'category', 'language', 'status'],
  ...['quality_score', 'source', 'since', 'until'],
]

/**
 * Everything that passes through the facade: what is done, with which query
 * parameters, and with which scope where a valid token is not enough. `{phone}`
 * is the channel's own number, `{waba}` its own account, `{media}` a file that
 * it uploaded or received; any other id is 404, and so is every other path.
 */
export const ALLOWLIST = [
  allow('GET', '{phone}', 'readNumber', FIELDS),
  allow('GET', '{phone}/whatsapp_business_profile', 'readProfile', FIELDS),
  allow('GET', '{waba}', 'readAccount', FIELDS),
  allow('GET', '{waba}/message_templates', 'listTemplates', TEMPLATE_QUERY),
  allow('GET', '{media}', 'readMedia', ['phone_number_id']),
  allow('GET', '{media}/content', 'downloadMedia', []),

  allow('POST', '{phone}/messages', 'postMessage', PRODUCT, 'messages:send'),
  allow('POST', '{phone}/media', 'uploadMedia', PRODUCT, 'media:write'),
  allow('POST', '{phone}/whatsapp_business_profile', 'updateProfile', PRODUCT, 'profile:write'),
  allow('POST', '{phone}/calls', 'endCall', PRODUCT, 'calls:write'),
  allow('POST', '{waba}/message_templates', 'createTemplate', [], 'templates:write'),
  allow('POST', '{waba}/header_handle', 'makeHandle', [], 'templates:write'),

  allow('DELETE', '{waba}/message_templates', 'deleteTemplates', ['name', 'hsm_id'], 'templates:write'),
]

export type Allowed = (typeof ALLOWLIST)[number]
export type Operation = Allowed['does']

function allow<const Does extends string>(
  method: Method,
  path: Path,
  does: Does,
  query: readonly string[],
  scope: Scope | null = null,
) {
  return { method, path, does, query, scope }
}

/** Names that stand for the one that the upstream knows. */
const EDGE_NAMES: Record<string, string> = { messaging_business_profile: 'whatsapp_business_profile' }

/**
 * The one form in which a path is read: an optional version, an id, an edge.
 * The address is matched as it was sent. What would have to be decoded, joined
 * or cleaned up first has more than one reading, and is refused with the rest.
 */
const CANONICAL = /^\/upstream\/(?:v\d{1,2}\.\d\/)?(\d{1,32})(?:\/([a-z_]{1,40}))?$/

export type Target = { id: string; edge: string; search: string }

export function parseTarget(url: string): Target | undefined {
  const [path = ''] = url.split('?', 1)
  const [, id, edge = ''] = CANONICAL.exec(path) ?? []
  return id === undefined ? undefined : { id, edge: EDGE_NAMES[edge] ?? edge, search: url.slice(path.length + 1) }
}

/** The row that lets a request through, given what its id is. */
export function findAllowed(method: string, kind: NodeKind, { edge }: Target): Allowed | undefined {
  const path = edge === '' ? `{${kind}}` : `{${kind}}/${edge}`
  return ALLOWLIST.find((row) => row.method === method && row.path === path)
}

/** Whether any id could make this a path of the list, and which kinds would. */
export function possibleKinds(method: string, target: Target): NodeKind[] {
  return (['phone', 'waba', 'media'] as const).filter((kind) => findAllowed(method, kind, target))
}
