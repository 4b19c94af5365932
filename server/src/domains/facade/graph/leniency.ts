import { countValues } from '../../../kernel/json/scan.ts'
import { requireFewValues } from '../../../kernel/json/strict.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import { dropReservedParameters } from '../allowlist/reserved-parameters.ts'
import type { AllowedRequest } from '../upstream-calls.ts'
import { parseBody, parseJsonText } from '../writing/body.ts'

/** Members of a message that are objects or lists. Clients that build forms write them as JSON in a text, also in JSON bodies. */
const STRUCTURED = new Set([
  'audio',
  'contacts',
  'context',
  'document',
  'image',
  'interactive',
  'location',
  'reaction',
  'sticker',
  'template',
  'text',
  'video',
])

/** The same of templates and of the settings of a number, which clients also write into queries. */
const STRUCTURED_SETTINGS = new Set(['block_users', 'calling', 'commands', 'components', 'prompts'])

/**
 * The parameters in a body: at `/upstream` as they were sent, at `/graph` as clients of Meta mean them. There null members count
 * as absent, reserved parameters are dropped, and an object or list may be JSON in a text.
 */
export function readParameters({ mount, body }: Pick<AllowedRequest, 'mount' | 'body'>): JsonObject {
  const parameters = parseBody(body)
  return mount === 'graph' ? readLeniently(parameters) : parameters
}

/** Only the parameters that the path takes, from the query and the body. */
export function readRowParameters(request: AllowedRequest): JsonObject {
  const given = Object.entries({ ...request.query, ...readParameters(request) })
  const taken = given.filter(([name]) => request.parameters.includes(name))
  const parsed = Object.entries(parseTexts(taken, STRUCTURED_SETTINGS))
  return Object.fromEntries(
    parsed.map(([name, value]) => [name, STRUCTURED_SETTINGS.has(name) ? dropNulls(value) : value]),
  )
}

function readLeniently(body: JsonObject): JsonObject {
  const parsed = parseTexts(Object.entries(dropReservedParameters(body)), STRUCTURED)
  const { interactive } = parsed
  const hasAction = isObject(interactive) && !JSON.isRawJSON(interactive) && 'action' in interactive
  const action = hasAction && { interactive: { ...interactive, action: parseIfJson(interactive.action) } }
  return dropNulls({ ...parsed, ...action })
}

/** Parses the texts of these members. Together they may have as many values as a body: in texts, its own limit misses them. */
function parseTexts(members: [string, unknown][], names: ReadonlySet<string>): JsonObject {
  const texts = members.flatMap(([name, value]) => (names.has(name) && isJsonText(value) ? [Buffer.from(value)] : []))
  requireFewValues(texts.reduce((sum, text) => sum + countValues(text), 0))
  return Object.fromEntries(members.map(([name, value]) => [name, names.has(name) ? parseIfJson(value) : value]))
}

function parseIfJson(value: unknown): unknown {
  return isJsonText(value) ? parseJsonText(value) : value
}

function isJsonText(value: unknown): value is string {
  return typeof value === 'string' && /^\s*[[{]/.test(value)
}

function dropNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(dropNulls) as T
  if (!isObject(value) || JSON.isRawJSON(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, dropNulls(member)])) as T
}
