import { isObject, type JsonObject } from '../../kernel/json/values.ts'

type Page = (link: string) => string | undefined

/** A page of a list: the addresses of its neighbours lead back to the hub. */
export function rewritePage(body: JsonObject, page: Page): JsonObject {
  const rest = withoutPages(body)
  return isObject(body.paging) ? { ...rest, paging: rewriteLinks(body.paging, page) } : rest
}

/** Every other answer: pages inside of it lie on no path of the facade, so no address leads there. */
export function withoutPages<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutPages) as T
  if (!isObject(value) || JSON.isRawJSON(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const isPaging = name === 'paging' && isObject(member)
    return [name, isPaging ? rewriteLinks(member, () => undefined) : withoutPages(member)]
  })
  return Object.fromEntries(members) as T
}

/** The same page at the hub, with those of its parameters that the facade knows; the token is none of them. */
export function pageAt(address: string, known: readonly string[]): Page {
  return (link) => {
    const given = URL.parse(link)?.searchParams
    if (!given) return undefined
    const query = new URLSearchParams([...given].filter(([name]) => known.includes(name)))
    return `${address}?${query}`
  }
}

function rewriteLinks({ next, previous, ...rest }: JsonObject, page: Page): JsonObject {
  const links = Object.entries({ next, previous }).map(([name, link]) => [
    name,
    typeof link === 'string' ? page(link) : undefined,
  ])
  return { ...rest, ...keep(Object.fromEntries(links)) }
}

/** An address that there is none of is left out, as the upstream does it. */
function keep(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
