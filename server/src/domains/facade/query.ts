import { invalidRequest } from '../../kernel/errors.ts'

/**
 * The parameters of a query. One that is not known, or that comes twice, is
 * refused: of two values the hub might look at one and the upstream at the other.
 */
export function parseQuery(search: string, known: readonly string[]): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    if (!known.includes(name)) throw refused(name, 'is not a known parameter')
    if (Object.hasOwn(query, name)) throw refused(name, 'is there more than once')
    query[name] = value
  }
  return query
}

function refused(name: string, message: string) {
  return invalidRequest(`The query is invalid: ${name} ${message}.`, [{ path: `/${name}`, message }])
}
