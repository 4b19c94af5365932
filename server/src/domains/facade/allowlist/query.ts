import { invalidPart, toIssue } from '../../../kernel/errors.ts'

/**
 * Parses the query. Repeated parameters are refused: of two values the hub might check one and the upstream use the
 * other. So are unknown ones, unless the caller ignores them, as Meta does.
 */
export function parseQuery(
  search: string,
  known: readonly string[],
  { ignoresUnknown = false } = {},
): Record<string, string> {
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    if (!known.includes(name) && ignoresUnknown) continue
    if (!known.includes(name)) throw invalidParameter(name, 'unknown_parameter')
    if (Object.hasOwn(query, name)) throw invalidParameter(name, 'parameter_repeated')
    query[name] = value
  }
  return query
}

function invalidParameter(name: string, reason: 'unknown_parameter' | 'parameter_repeated') {
  return invalidPart('query', [toIssue(`/${name}`, reason)], name)
}
