import type { Scope } from '../../auth/scopes.ts'

/** Where the facade is mounted: `/upstream` with the hub's errors, `/graph` with Meta's errors and leniency. */
export type Mount = 'upstream' | 'graph'

/** The kinds of ids in a path. Any id that does not belong to the channel is 404. `hub` is for paths without an id. */
export type NodeKind = 'phone' | 'waba' | 'media' | 'hub'

type Method = 'GET' | 'POST' | 'DELETE'
type Path = `{${Exclude<NodeKind, 'hub'>}}` | `{${Exclude<NodeKind, 'hub'>}}/${string}` | 'debug_token'

const BOTH: readonly Mount[] = ['upstream', 'graph']
const GRAPH_ONLY: readonly Mount[] = ['graph']

const FIELDS = ['fields']
const PRODUCT = ['messaging_product']
const CALLBACK = ['override_callback_uri']
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
 * Every request that the facade answers: the operation, its query parameters, the scope
 * that the channel token needs, and where it is mounted. `{phone}` is the channel's number, `{waba}`
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

  allow('GET', '{waba}/phone_numbers', 'listNumbers', [...FIELDS, 'after', 'before'], 'channels:read', GRAPH_ONLY),
  allow('DELETE', '{media}', 'deleteMedia', ['phone_number_id'], 'media:write', GRAPH_ONLY),
  allow('GET', '{waba}/subscribed_apps', 'listSubscribedApps', [], 'channels:read', GRAPH_ONLY),
  allow('POST', '{waba}/subscribed_apps', 'subscribeApp', CALLBACK, 'channels:read', GRAPH_ONLY),
  allow('DELETE', '{waba}/subscribed_apps', 'unsubscribeApp', [], 'channels:read', GRAPH_ONLY),
  allow('POST', '{phone}', 'configureNumber', ['webhook_configuration'], 'channels:read', GRAPH_ONLY),
  allow('GET', 'debug_token', 'debugToken', [], null, GRAPH_ONLY),
]

export type AllowedOperation = (typeof ALLOWLIST)[number]
export type OperationName = AllowedOperation['operation']

/** `scope` is null for what every channel token may do. */
function allow<const Name extends string>(
  method: Method,
  path: Path,
  operation: Name,
  query: readonly string[],
  scope: Scope | null,
  mounts = BOTH,
) {
  return { method, path, operation, query, scope, mounts }
}

/** The operations that send a message. */
const SENDS: ReadonlySet<OperationName> = new Set(['postMessage'])

/** Aliases of edge names. */
const EDGE_ALIASES: Record<string, string> = { messaging_business_profile: 'whatsapp_business_profile' }

/**
 * The only form of a path: an optional version, then an id and an edge, or a path without an id. The URL is matched as it
 * was sent: a path that must be decoded or normalized first is ambiguous, and therefore 404.
 */
const CANONICAL = /^\/(upstream|graph)\/(?:v\d{1,2}\.\d\/)?(?:(\d{1,32})(?:\/([a-z_]{1,40}))?|(debug_token))$/

/** `id` is empty in a path without one. */
export type Target = { mount: Mount; id: string; edge: string; search: string }

export function parseTarget(url: string): Target | undefined {
  const [path = ''] = url.split('?', 1)
  const [, mount, id = '', edge = '', named] = CANONICAL.exec(path) ?? []
  if (mount !== 'upstream' && mount !== 'graph') return undefined
  return { mount, id, edge: named ?? EDGE_ALIASES[edge] ?? edge, search: url.slice(path.length + 1) }
}

/** The row of the allowlist for a method, a kind of id and an edge. */
export function findOperation(method: string, kind: NodeKind, { mount, edge }: Target): AllowedOperation | undefined {
  const path = kind === 'hub' ? edge : edge === '' ? `{${kind}}` : `{${kind}}/${edge}`
  return ALLOWLIST.find((row) => row.method === method && row.path === path && row.mounts.includes(mount))
}

/** The kinds of ids that would put this path on the allowlist. */
export function listPossibleKinds(method: string, target: Target): NodeKind[] {
  const kinds: NodeKind[] = target.id === '' ? ['hub'] : ['phone', 'waba', 'media']
  return kinds.filter((kind) => findOperation(method, kind, target))
}

/** Whether a request has the path of a send, whatever its id is. */
export function isSend(method: string, url: string): boolean {
  const target = parseTarget(url)
  const row = target && findOperation(method, 'phone', target)
  return row !== undefined && SENDS.has(row.operation)
}
