import type { Scope } from '../../auth/scopes.ts'

/** The kinds of ids in a path. Any id that does not belong to the channel is 404. */
export type NodeKind = 'phone' | 'waba' | 'media'

type Method = 'GET' | 'POST' | 'DELETE'
type Path = `{${NodeKind}}` | `{${NodeKind}}/${string}`

const FIELDS = ['fields']
const PRODUCT = ['messaging_product']
/** Paging links keep these parameters too. */
export const TEMPLATE_QUERY: readonly string[] = [
  'fields',
  'limit',
  'after',
  'before',
  'name',
  'name_or_content',
  'content',
  'category',
  'language',
  'status',
  'quality_score',
  'source',
  'since',
  'until',
]

/**
 * Every request that the facade forwards: the operation, its query parameters, and the
 * scope that the channel token needs. `{phone}` is the channel's number, `{waba}`
 * its account, `{media}` a file that it uploaded or received. Any other id or path is 404.
 */
export const ALLOWLIST = [
  allow('GET', '{phone}', 'readNumber', FIELDS, 'channels:read'),
  allow('GET', '{phone}/whatsapp_business_profile', 'readProfile', [...FIELDS, ...PRODUCT], 'channels:read'),
  allow('GET', '{waba}', 'readAccount', FIELDS, 'channels:read'),
  allow('GET', '{waba}/message_templates', 'listTemplates', TEMPLATE_QUERY, 'templates:read'),
  allow('GET', '{media}', 'readMedia', ['phone_number_id'], 'messages:read'),
  allow('GET', '{media}/content', 'downloadMedia', [], 'messages:read'),

  allow('POST', '{phone}/messages', 'postMessage', PRODUCT, 'messages:send'),
  allow('POST', '{phone}/media', 'uploadMedia', PRODUCT, 'media:write'),
  allow('POST', '{phone}/whatsapp_business_profile', 'updateProfile', PRODUCT, 'profile:write'),
  allow('POST', '{phone}/calls', 'endCall', PRODUCT, 'calls:write'),
  allow('POST', '{waba}/message_templates', 'createTemplate', [], 'templates:write'),
  allow('POST', '{waba}/header_handle', 'createHandle', PRODUCT, 'templates:write'),

  allow('DELETE', '{waba}/message_templates', 'deleteTemplates', ['name', 'hsm_id'], 'templates:write'),
]

export type AllowedOperation = (typeof ALLOWLIST)[number]
export type OperationName = AllowedOperation['operation']

function allow<const Name extends string>(
  method: Method,
  path: Path,
  operation: Name,
  query: readonly string[],
  scope: Scope,
) {
  return { method, path, operation, query, scope }
}

/** Aliases of edge names. */
const EDGE_ALIASES: Record<string, string> = { messaging_business_profile: 'whatsapp_business_profile' }

/**
 * The only form of a path: an optional version, an id, an edge. The URL is matched as it was
 * sent: a path that must be decoded or normalized first is ambiguous, and therefore 404.
 */
const CANONICAL = /^\/upstream\/(?:v\d{1,2}\.\d\/)?(\d{1,32})(?:\/([a-z_]{1,40}))?$/

export type Target = { id: string; edge: string; search: string }

export function parseTarget(url: string): Target | undefined {
  const [path = ''] = url.split('?', 1)
  const [, id, edge = ''] = CANONICAL.exec(path) ?? []
  return id === undefined ? undefined : { id, edge: EDGE_ALIASES[edge] ?? edge, search: url.slice(path.length + 1) }
}

/** The row of the allowlist for a method, a kind of id and an edge. */
export function findOperation(method: string, kind: NodeKind, { edge }: Target): AllowedOperation | undefined {
  const path = edge === '' ? `{${kind}}` : `{${kind}}/${edge}`
  return ALLOWLIST.find((row) => row.method === method && row.path === path)
}

/** The kinds of ids that would put this path on the allowlist. */
export function listPossibleKinds(method: string, target: Target): NodeKind[] {
  return (['phone', 'waba', 'media'] as const).filter((kind) => findOperation(method, kind, target))
}
