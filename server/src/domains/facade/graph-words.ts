import { invalidRequest } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json/values.ts'

/**
 * Parameters that the Graph reads on any path, from a body as from a query:
 * they change who asks, what is done, of which objects, or what is shown. With
 * them a body could turn its request into one that the allowlist does not
 * hold: spec-gaps.md#graph-words.
 */
const GRAPH_WORDS = new Set([
  ...['access_token', 'appsecret_proof', 'input_token', 'method', 'batch', 'ids', 'fields', 'metadata', 'callback'],
  ...['include_headers', 'suppress_http_code'],
])

/** A body of which every member goes on to the upstream. */
export function withoutGraphWords(body: JsonObject): JsonObject {
  const found = Object.keys(body).find((name) => GRAPH_WORDS.has(name.trim().toLowerCase()))
  if (found === undefined) return body
  const message = 'is no parameter of this path'
  throw invalidRequest(`The body is invalid: ${found} ${message}.`, [{ path: `/${found}`, message }])
}
