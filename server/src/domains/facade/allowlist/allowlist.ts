import type { Scope } from '../../auth/scopes.ts'

/** The paths of the facade: `/upstream` with the hub's errors, `/graph` with Meta's errors and leniency. */
export type Mount = 'upstream' | 'graph'

/**
 * The kinds of ids in a path. Any id that does not belong to the channel is 404, except that of an app, of which clients
 * have their own. `hub` is for paths without an id.
 */
export type NodeKind = 'phone' | 'waba' | 'media' | 'template' | 'app' | 'upload' | 'hub'

type Method = 'GET' | 'POST' | 'DELETE'
type IdKind = Exclude<NodeKind, 'hub' | 'upload'>
type Path = `{${IdKind}}` | `{${IdKind}}/${string}` | 'upload:{upload}' | 'debug_token'

const BOTH: readonly Mount[] = ['upstream', 'graph']
const GRAPH_ONLY: readonly Mount[] = ['graph']

const FIELDS = ['fields']
const PRODUCT = ['messaging_product']
const CALLBACK = ['override_callback_uri']
const PAGE = ['limit', 'after', 'before']
const PEOPLE = ['messaging_product', 'block_users']
const QR_CODE = ['code', 'prefilled_message', 'generate_qr_image']
const AUTOMATION = ['enable_welcome_message', 'prompts', 'commands']
const COMMERCE = ['is_cart_enabled', 'is_catalog_visible']
const ENCRYPTION = ['business_public_key']
const TEMPLATE_EDIT = ['category', 'components', 'message_send_ttl_seconds']
const FILE = ['file_name', 'file_length', 'file_type']
/** A handle is for the example of a template or for the picture of a profile. */
const HANDLE_SCOPES: readonly Scope[] = ['templates:write', 'profile:write']
/** Paging links keep these parameters too. */
const TEMPLATE_QUERY: readonly string[] = [
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
 * its account, `{media}` a file that it uploaded or received, `{template}` a template of the account, `{upload}` a session
 * of the token. Any other id or path is 404.
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

  allow('GET', '{template}', 'readTemplate', FIELDS, 'templates:read', GRAPH_ONLY),
  allow('POST', '{template}', 'editTemplate', TEMPLATE_EDIT, 'templates:write', GRAPH_ONLY),
  allow('DELETE', '{template}', 'deleteTemplate', [], 'templates:write', GRAPH_ONLY),
  allow('POST', '{phone}/marketing_messages', 'postMarketingMessage', PRODUCT, 'messages:send', GRAPH_ONLY),

  allow('GET', '{phone}/block_users', 'listBlocked', PAGE, 'messages:read', GRAPH_ONLY),
  allow('POST', '{phone}/block_users', 'block', PEOPLE, 'number:write', GRAPH_ONLY),
  allow('DELETE', '{phone}/block_users', 'unblock', PEOPLE, 'number:write', GRAPH_ONLY),
  allow('GET', '{phone}/message_qrdls', 'listQrCodes', [...FIELDS, ...PAGE, 'code'], 'channels:read', GRAPH_ONLY),
  allow('POST', '{phone}/message_qrdls', 'saveQrCode', QR_CODE, 'number:write', GRAPH_ONLY),
  allow('GET', '{phone}/message_qrdls/{code}', 'readQrCode', FIELDS, 'channels:read', GRAPH_ONLY),
  allow('DELETE', '{phone}/message_qrdls/{code}', 'deleteQrCode', [], 'number:write', GRAPH_ONLY),
  allow('POST', '{phone}/conversational_automation', 'setAutomation', AUTOMATION, 'number:write', GRAPH_ONLY),
  allow('GET', '{phone}/whatsapp_commerce_settings', 'readCommerceSettings', [], 'channels:read', GRAPH_ONLY),
  allow('POST', '{phone}/whatsapp_commerce_settings', 'setCommerceSettings', COMMERCE, 'number:write', GRAPH_ONLY),
  allow('GET', '{phone}/whatsapp_business_encryption', 'readEncryptionKey', [], 'channels:read', GRAPH_ONLY),
  allow('POST', '{phone}/whatsapp_business_encryption', 'setEncryptionKey', ENCRYPTION, 'number:write', GRAPH_ONLY),
  allow('GET', '{phone}/username', 'readUsername', [], 'channels:read', GRAPH_ONLY),
  allow('POST', '{phone}/username', 'setUsername', ['username'], 'number:write', GRAPH_ONLY),
  allow('DELETE', '{phone}/username', 'deleteUsername', [], 'number:write', GRAPH_ONLY),
  allow('GET', '{phone}/settings', 'readCallingSettings', [], 'channels:read', GRAPH_ONLY),
  allow('POST', '{phone}/settings', 'setCallingSettings', ['calling'], 'number:write', GRAPH_ONLY),

  allow('POST', '{app}/uploads', 'openUpload', FILE, HANDLE_SCOPES, GRAPH_ONLY),
  allow('POST', 'upload:{upload}', 'fillUpload', [], HANDLE_SCOPES, GRAPH_ONLY),
  allow('GET', 'upload:{upload}', 'readUpload', [], HANDLE_SCOPES, GRAPH_ONLY),
]

export type AllowedOperation = (typeof ALLOWLIST)[number]
export type OperationName = AllowedOperation['operation']

/** `scope` is null for what every channel token may do. Of several scopes one is enough. */
function allow<const Name extends string>(
  method: Method,
  path: Path,
  operation: Name,
  query: readonly string[],
  scope: Scope | readonly Scope[] | null,
  mounts = BOTH,
) {
  return { method, path, operation, query, scope, mounts }
}

/** Parameters that only `/graph` takes. */
const GRAPH_QUERY: Partial<Record<OperationName, readonly string[]>> = { listTemplates: ['summary'] }

export function listParameters({ operation, query }: AllowedOperation, mount: Mount): readonly string[] {
  return mount === 'graph' ? [...query, ...(GRAPH_QUERY[operation] ?? [])] : query
}

/** The operations that send a message. */
const SENDS: ReadonlySet<OperationName> = new Set(['postMessage', 'postMarketingMessage'])

/** Digits at the start of a path can be one of these. */
const ID_KINDS: readonly NodeKind[] = ['phone', 'waba', 'media', 'template', 'app']

/** Aliases of edge names. */
const EDGE_ALIASES: Record<string, string> = { messaging_business_profile: 'whatsapp_business_profile' }

/**
 * The only form of a path: an optional version, then an id and an edge, or a path without an id. The URL is matched as it
 * was sent: a path that must be decoded or normalized first is ambiguous, and therefore 404.
 */
const CANONICAL =
  /^\/(upstream|graph)\/(?:v\d{1,2}\.\d\/)?(?:(\d{1,32})(?:\/(message_qrdls)\/([A-Za-z0-9]{1,64})|\/([a-z_]{1,40}))?|(debug_token)|upload:([\w-]{43}))$/

/** `id` is empty in a path without one, and `item` in a path that ends with its edge. */
export type Target = {
  mount: Mount
  kinds: readonly NodeKind[]
  id: string
  edge: string
  item: string
  search: string
}

export function parseTarget(url: string): Target | undefined {
  const [path = ''] = url.split('?', 1)
  // Some clients end a path with a slash.
  const canonical = path.startsWith('/graph/') ? path.replace(/(?<=[^/])\/$/, '') : path
  const [, mount, id = '', list, item = '', edge = '', named, upload] = CANONICAL.exec(canonical) ?? []
  if (mount !== 'upstream' && mount !== 'graph') return undefined
  const rest: Pick<Target, 'mount' | 'item' | 'search'> = { mount, item, search: url.slice(path.length + 1) }
  if (named !== undefined) return { ...rest, kinds: ['hub'], id, edge: named }
  if (upload !== undefined) return { ...rest, kinds: ['upload'], id: upload, edge: '' }
  return { ...rest, kinds: ID_KINDS, id, edge: list ? `${list}/{code}` : (EDGE_ALIASES[edge] ?? edge) }
}

/** Returns true if the body of a request is the bytes of a file, with any content type. */
export function isRawUpload(url: string): boolean {
  return parseTarget(url)?.kinds.includes('upload') ?? false
}

/** The row of the allowlist for a method, a kind of id and an edge. */
export function findOperation(method: string, kind: NodeKind, { mount, edge }: Target): AllowedOperation | undefined {
  const path = toRowPath(kind, edge)
  return ALLOWLIST.find((row) => row.method === method && row.path === path && row.mounts.includes(mount))
}

function toRowPath(kind: NodeKind, edge: string): string {
  if (kind === 'hub') return edge
  if (kind === 'upload') return 'upload:{upload}'
  return edge === '' ? `{${kind}}` : `{${kind}}/${edge}`
}

/** The kinds of ids that would put this path on the allowlist. */
export function listPossibleKinds(method: string, target: Target): NodeKind[] {
  return target.kinds.filter((kind) => findOperation(method, kind, target))
}

/** Returns true if a request has the path of a send, with any id. */
export function isSend(method: string, url: string): boolean {
  const target = parseTarget(url)
  const row = target && findOperation(method, 'phone', target)
  return row !== undefined && SENDS.has(row.operation)
}
