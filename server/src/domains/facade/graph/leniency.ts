import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import { dropReservedParameters } from '../allowlist/reserved-parameters.ts'
import type { AllowedRequest } from '../upstream-calls.ts'
import { parseBody, parseJsonText } from '../writing/body.ts'

/**
 * The parameters in a body: at `/upstream` as they were sent, at `/graph` as Meta would read them. There null members count
 * as absent, reserved parameters are dropped, and `contacts` may be JSON in a text.
 */
export function readParameters({ mount, body }: Pick<AllowedRequest, 'mount' | 'body'>): JsonObject {
  const parameters = parseBody(body)
  return mount === 'graph' ? readLeniently(parameters) : parameters
}

/** Only the parameters that the path takes, from the query and the body. In a query, objects and lists are JSON. */
export function readRowParameters(request: AllowedRequest): JsonObject {
  const inQuery = Object.entries(request.query).map(([name, value]) => [name, readText(value)])
  const given = { ...Object.fromEntries(inQuery), ...readParameters(request) }
  return Object.fromEntries(Object.entries(given).filter(([name]) => request.parameters.includes(name)))
}

function readText(value: string): unknown {
  return /^\s*[[{]/.test(value) ? parseJsonText(value) : value
}

function readLeniently(body: JsonObject): JsonObject {
  const { contacts, ...rest } = dropReservedParameters(dropNulls(body))
  if (contacts === undefined) return rest
  const isText = typeof contacts === 'string' && /^\s*\[/.test(contacts)
  return { ...rest, contacts: isText ? dropNulls(parseJsonText(contacts)) : contacts }
}

function dropNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(dropNulls) as T
  if (!isObject(value) || JSON.isRawJSON(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, dropNulls(member)])) as T
}
