import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listEventMembers } from '../server/src/app/openapi/event-payloads.ts'
import { EVENT_KIND_NAMES, EVENT_KINDS } from '../server/src/domains/events/catalog.ts'

const GUIDE = 'docs/guides/webhooks.md'
const PART = /(<!-- kinds: .* -->\n)[\s\S]*?(<!-- end of kinds -->)/

/** The guide whose part lists the kinds of events. */
export function generateEventKinds(root: string): Record<string, string> {
  const rows = EVENT_KIND_NAMES.map((kind) => {
    const members = listEventMembers(kind).map((name) => `\`${name}\``)
    const data = members.length === 0 ? "Meta's body, without an envelope" : members.join(', ')
    return `| \`${kind}\` | ${EVENT_KINDS[kind]} | ${data} |`
  })
  const part = ['| Kind | When | Members of `data` |', '|---|---|---|', ...rows].join('\n')
  const text = readFileSync(join(root, GUIDE), 'utf8')
  if (!PART.test(text)) throw new Error(`${GUIDE} has no part for the kinds of events`)
  return { [GUIDE]: text.replace(PART, (_, opening, closing) => `${opening}\n${part}\n\n${closing}`) }
}
