import type { Document, Paths } from './document.ts'

const CONSOLE = '/console/'
const CONSOLE_DESCRIPTION = `What the dashboard calls for a person, beside the public API. These routes change together with the dashboard: they are not
for other programs.`
const REFERENCE = /"#\/components\/(schemas|responses)\/([^"]+)"/g

type Components = Record<string, Record<string, object>>

/** The public API, and the routes of the dashboard. Each document has the components that it refers to. */
export function splitDocument(described: object): { api: Document; console: Document } {
  const whole: Document = described
  const { paths = {}, webhooks = {}, info = { title: '' }, ...rest } = whole
  const isConsole = ([path]: [string, unknown]) => path.startsWith(CONSOLE)
  const entries = Object.entries(paths)
  const api = { info, paths: toPaths(entries.filter((entry) => !isConsole(entry))), webhooks }
  const title = `${info.title} console`
  const console = {
    info: { ...info, title, description: CONSOLE_DESCRIPTION },
    paths: toPaths(entries.filter(isConsole)),
  }
  return {
    api: { ...rest, ...api, components: pickComponents(whole, api) },
    console: { ...rest, ...console, components: pickComponents(whole, console) },
  }
}

function toPaths(entries: [string, Paths[string]][]): Paths {
  return Object.fromEntries(entries)
}

/** The components that a part refers to, directly or by way of others, in the order of the whole. */
function pickComponents({ components = {} }: Document, part: object): object {
  const known = components as Components
  const used = new Set<string>()
  function follow(value: object): void {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      const reference = `${kind}/${name}`
      if (used.has(reference)) continue
      used.add(reference)
      follow(known[kind]?.[name] ?? {})
    }
  }
  follow(part)
  const pick = (kind: string) =>
    Object.fromEntries(Object.entries(known[kind] ?? {}).filter(([name]) => used.has(`${kind}/${name}`)))
  return { ...components, schemas: pick('schemas'), responses: pick('responses') }
}
