import type { NamedTemplate } from '../../../upstream/resources/templates.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import type { Caller, UpstreamCalls } from '../upstream-calls.ts'

const PAGE_SIZE = 250
/** The upstream limits an account to 6,000 templates. */
const PAGES_MAX = 40

/**
 * Finds the template with this id in the list of the channel's account. The stored credential may reach the templates of
 * other accounts by id, so the list decides, and the template itself is not asked for before.
 */
export async function findOwnTemplate(
  { calls, upstream }: { calls: UpstreamCalls; upstream: Upstream },
  caller: Caller,
  id: string,
): Promise<NamedTemplate | undefined> {
  const { token, wabaId } = caller.credential
  let after: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const cursor = after === null ? {} : { after }
    const result = await upstream.templates.listNames(token, wabaId, { limit: PAGE_SIZE, ...cursor })
    const page = await calls.unwrap(caller, result)
    const found = page.data.find((template) => template.id === id)
    if (found || page.after === null) return found
    after = page.after
  }
  return undefined
}
