import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, type Operation, resolveSchema } from '../sdk/document.ts'
import { formatSource } from '../sdk/generate-sdk.ts'
import { listMethods, type Method } from '../sdk/operations.ts'

const FOLDER = 'dashboard/src/api/generated'
const SDK_CALLS = 'dashboard/docs/sdk-calls.gen.ts'
const GUIDE = 'docs/guides/receiving-webhooks.md'
/** The guide has a program for each of them, below a heading of that name. */
const LANGUAGES = ['Node', 'Python', 'PHP', 'Go', 'Java', 'C#']

/** The parts of the API's description and the guides that the dashboard shows, by the paths of its files. */
export function generateDashboard(root: string, openapi: string): Record<string, string> {
  const document: Document = JSON.parse(openapi)
  const files = {
    [`${FOLDER}/routes.gen.ts`]: writeRoutes(document),
    [`${FOLDER}/events.gen.ts`]: writeEvents(document),
    [`${FOLDER}/receivers.gen.ts`]: writeReceivers(readFileSync(join(root, GUIDE), 'utf8')),
    [SDK_CALLS]: writeSdkCalls(document),
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, formatSource(root, path, text)]))
}

function writeRoutes(document: Document): string {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(isForKeys)
      .map(([verb, operation]) => toRoute(verb, path, operation)),
  )
  const scopes = resolveSchema(document, { $ref: '#/components/schemas/CreateApiKey' }).properties?.scopes?.items?.enum
  return `${header('openapi.json')}
/** Every scope that a key can have. */
export const SCOPES = ${JSON.stringify(scopes)} as const

/** The operations that a key may call, and the scopes that it needs for them. */
export const ROUTES: readonly { method: string; path: string; scopes: readonly string[] }[] = ${JSON.stringify(routes)}
`
}

function isForKeys([, { security, 'x-scope': scope }]: [string, Operation]): boolean {
  return scope !== undefined && security.some((scheme) => 'api_key' in scheme)
}

function toRoute(verb: string, path: string, operation: Operation) {
  const scopes = [operation['x-scope'], operation['x-also-scope']].filter((scope) => scope !== undefined)
  return { method: verb.toUpperCase(), path, scopes }
}

function writeEvents(document: Document): string {
  const examples: [string, unknown][] = []
  const compatExamples: [string, unknown][] = []
  for (const [kind, { post }] of Object.entries(document.webhooks)) {
    const schema = post.requestBody?.content['application/json']?.schema ?? {}
    const { anyOf: [native, compat] = [schema] } = resolveSchema(document, schema)
    examples.push([kind, resolveSchema(document, native ?? schema).examples?.[0] ?? {}])
    if (compat) compatExamples.push([kind, toCompatExample(kind, resolveSchema(document, compat).examples?.[0])])
  }
  return `${header('openapi.json')}
/** An example of the payload of each kind of event. */
export const EVENT_EXAMPLES = ${JSON.stringify(Object.fromEntries(examples))}

/** The same for the kinds that have another payload in the compat format. */
export const COMPAT_EXAMPLES = ${JSON.stringify(Object.fromEntries(compatExamples))}
`
}

/** One schema describes the payloads of all these kinds, and has one example. */
function toCompatExample(kind: string, example: unknown): unknown {
  const event_type = kind === 'channel.disconnected' ? 'channel_disconnected' : 'channel_connected'
  return { ...(example as object), event_type }
}

function writeSdkCalls(document: Document): string {
  const calls = listMethods(document, 'public').map((method) => [method.operation.operationId, toSdkCall(method)])
  return `${header('openapi.json')}
export type SdkCall = { name: string; arguments: readonly string[]; body?: 'json' | 'form'; query: readonly string[]; isKeyed?: true; isList?: true }

/** The method of the SDK that calls each operation. */
export const SDK_CALLS: Readonly<Record<string, SdkCall>> = ${JSON.stringify(Object.fromEntries(calls))}
`
}

function toSdkCall({ resource, name, pathParameters, body, query, isKeyed, result }: Method) {
  return {
    name: `${resource}.${name}`,
    arguments: pathParameters.map(({ argument }) => argument),
    ...(body && { body: body.isForm ? 'form' : 'json' }),
    query: query.filter((parameter) => parameter.required).map((parameter) => parameter.name),
    ...(isKeyed && { isKeyed }),
    ...(result.kind === 'list' && { isList: true }),
  }
}

function writeReceivers(guide: string): string {
  return `${header(GUIDE)}// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the programs, as texts.

/** Programs that verify a delivery, by language. The tests of the repository run them. */
export const RECEIVERS: Record<string, string> = ${JSON.stringify(readReceivers(guide))}
`
}

function header(source: string): string {
  return `// Generated from ${source} by \`npm run generate\`. Do not edit.\n`
}

function readReceivers(guide: string): Record<string, string> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, readBlock(guide, language)]))
}

function readBlock(guide: string, language: string): string {
  const [, rest] = guide.split(`\n### ${language}\n`)
  if (rest === undefined) throw new Error(`The guide has no heading ${language}`)
  const [section = ''] = rest.split(/\n##/)
  const blocks = [...section.matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const [block] = blocks
  if (block === undefined || blocks.length > 1) throw new Error(`${language} of the guide must have one block of code`)
  return block
}
