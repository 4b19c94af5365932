import { invalidPart, toIssue } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json/values.ts'

/**
 * Parameters that Graph reads on any path, in the body as in the query. They change
 * the credential, the method, the object or the response, so a body with one of them
 * would bypass the allowlist: contract.md#facade.reserved-parameters-are-400.
 */
const RESERVED_PARAMETERS = new Set([
  'access_token',
  'appsecret_proof',
  'input_token',
  'method',
  'batch',
  'ids',
  'fields',
  'metadata',
  'callback',
  'include_headers',
  'suppress_http_code',
])

/** Returns the body unchanged if it has no reserved parameter. */
export function refuseReservedParameters(body: JsonObject): JsonObject {
  const found = Object.keys(body).find(isReserved)
  if (found === undefined) return body
  throw invalidPart('body', [toIssue(`/${found}`, 'reserved_parameter')], found)
}

/** Returns the body without its reserved parameters. */
export function dropReservedParameters(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isReserved(name)))
}

function isReserved(name: string): boolean {
  return RESERVED_PARAMETERS.has(name.trim().toLowerCase())
}
