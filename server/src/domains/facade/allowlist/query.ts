import { invalidRequest } from '../../../kernel/errors.ts'

/**
 * Parses the query. Unknown and repeated parameters are refused: of two values
 * the hub might check one and the upstream use the other.
 */
export function parseQuery(search: string, known: readonly string[]): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    if (!known.includes(name)) throw invalidParameter(name, 'is not a known parameter')
    if (Object.hasOwn(query, name)) throw invalidParameter(name, 'appears more than once')
    query[name] = value
  }
  return query
}

function invalidParameter(name: string, message: string) {
  return invalidRequest(`The query is invalid: ${name} ${message}.`, [{ path: `/${name}`, message }])
}
