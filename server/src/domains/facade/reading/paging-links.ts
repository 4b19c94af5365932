import { isObject, type JsonObject } from '../../../kernel/json/values.ts'

type RewriteLink = (link: string) => string | undefined

/** Rewrites the paging links of a list, so that they point to the hub. */
export function rewritePagingLinks(body: JsonObject, rewriteLink: RewriteLink): JsonObject {
  const rest = removePagingLinks(body)
  return isObject(body.paging) ? { ...rest, paging: rewriteLinks(body.paging, rewriteLink) } : rest
}

/** Removes all paging links: the facade has no path for pages of nested lists. */
export function removePagingLinks<T>(value: T): T {
  if (Array.isArray(value)) return value.map(removePagingLinks) as T
  if (!isObject(value) || JSON.isRawJSON(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const isPaging = name === 'paging' && isObject(member)
    return [name, isPaging ? rewriteLinks(member, () => undefined) : removePagingLinks(member)]
  })
  return Object.fromEntries(members) as T
}

/** Moves a paging link to `address` and keeps only known parameters, so the token is dropped. */
export function createLinkRewriter(address: string, knownParameters: readonly string[]): RewriteLink {
  return (link) => {
    const parameters = URL.parse(link)?.searchParams
    if (!parameters) return undefined
    const query = new URLSearchParams([...parameters].filter(([name]) => knownParameters.includes(name)))
    return `${address}?${query}`
  }
}

/** Drops links that are missing or invalid, as the upstream does. */
function rewriteLinks({ next, previous, ...rest }: JsonObject, rewriteLink: RewriteLink): JsonObject {
  const links = Object.entries({ next, previous })
    .map(([name, link]) => [name, typeof link === 'string' ? rewriteLink(link) : undefined])
    .filter(([, link]) => link !== undefined)
  return { ...rest, ...Object.fromEntries(links) }
}
