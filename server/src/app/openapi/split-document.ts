import { ORGANIZATION } from './complete-document.ts'
import type { Document, Operation, Paths } from './document.ts'

const CONSOLE = '/console/'
const SESSION = 'session'
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
  const api = { info, paths: toPaths(entries.filter((entry) => !isConsole(entry)).map(forPrograms)), webhooks }
  const title = `${info.title} console`
  const console = {
    info: { ...info, title, description: CONSOLE_DESCRIPTION },
    paths: toPaths(entries.filter(isConsole)),
  }
  return {
    api: {
      ...rest,
      ...api,
      tags: pickTags(whole, api),
      components: pickComponents(whole, api, (scheme) => scheme !== SESSION),
    },
    console: {
      ...rest,
      ...console,
      tags: pickTags(whole, console),
      components: pickComponents(whole, console, (scheme) => scheme === SESSION),
    },
  }
}

function toPaths(entries: [string, Paths[string]][]): Paths {
  return Object.fromEntries(entries)
}

/** A program has no session: the cookie of one, and the choice of an organization with it, are for the dashboard. */
function forPrograms([path, item]: [string, Paths[string]]): [string, Paths[string]] {
  const methods = Object.entries(item).map(
    ([method, { security = [], parameters, ...operation }]): [string, Operation] => {
      const others = parameters?.filter((parameter) => !('name' in parameter && parameter.name === ORGANIZATION.name))
      return [
        method,
        {
          ...operation,
          ...(others && others.length > 0 && { parameters: others }),
          security: security.filter((scheme) => !(SESSION in scheme)),
        },
      ]
    },
  )
  return [path, Object.fromEntries(methods)]
}

function pickTags({ tags = [] }: Document, part: { paths: Paths; webhooks?: object }): { name: string }[] {
  const text = JSON.stringify([part.paths, part.webhooks])
  return tags.filter(({ name }) => text.includes(`"tags":["${name}"]`))
}

/** The components that a part refers to, directly or by way of others, in the order of the whole. */
function pickComponents({ components = {} }: Document, part: object, isScheme: (name: string) => boolean): object {
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
  const schemes = Object.entries(known.securitySchemes ?? {}).filter(([name]) => isScheme(name))
  return { securitySchemes: Object.fromEntries(schemes), schemas: pick('schemas'), responses: pick('responses') }
}
