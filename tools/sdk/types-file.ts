import { type Document, findSchema, listReferences, readReference, type Schema } from './document.ts'
import type { Method, Result } from './operations.ts'
import { joinTypes, toComment, toKey, toType } from './schema-types.ts'

export const HEADER = `// Generated from openapi.json by \`npm run generate\`. Do not edit.
`
const FILE_IMPORT = `import type { FileInput } from '../form.ts'
`

/** The types of what the methods take and resolve to, of error details and of events. */
export function writeTypes(document: Document, methods: Method[]): string {
  return [
    HEADER,
    FILE_IMPORT,
    ...writeSchemas(document, methods, listTypes(document, methods)),
    writeErrorDetails(document),
    writeEvents(document, listEvents(document)),
  ].join('\n')
}

/** The types of what more methods take and resolve to, beside those of `types.gen.ts`. */
export function writeFurtherTypes(document: Document, methods: Method[], existing: string[]): string {
  const names = listReferences(document, listSchemas(methods))
  const shared = names.filter((name) => existing.includes(name)).join(', ')
  const own = names.filter((name) => !existing.includes(name))
  const imports = `import type { ${shared} } from './types.gen.ts'\nexport type { ${shared} }\n`
  return [HEADER, ...(shared ? [imports] : []), ...writeSchemas(document, methods, own)].join('\n')
}

/** The names of the types of what methods take and resolve to, and of what events bring. */
export function listTypes(document: Document, methods: Method[]): string[] {
  const ofEvents = listEvents(document).map(({ schema }) => schema)
  return listReferences(document, [...listSchemas(methods), ...ofEvents])
}

function writeSchemas(document: Document, methods: Method[], names: string[]): string[] {
  const envelopes = listEnvelopes(methods)
  return names.map((name) => writeSchema(document, name, envelopes.has(name)))
}

/** The names of the schemas of responses, whose type is that of their `data`. */
export function listEnvelopes(methods: Method[]): ReadonlySet<string | undefined> {
  return new Set(methods.flatMap(({ result }) => (result.kind === 'data' ? result.schemas.map(readReference) : [])))
}

export function listSchemas(methods: Method[]): Schema[] {
  return methods.flatMap(({ body, query, result }) => [
    ...(body ? [body.schema] : []),
    ...query.map(({ schema }) => schema),
    ...listResultSchemas(result),
  ])
}

function listResultSchemas(result: Result): Schema[] {
  if (result.kind === 'list') return [result.item]
  if (result.kind === 'stream') return result.line ? [result.line] : []
  return result.schemas
}

/** Methods resolve to the `data` of a response, so the type of a response is that of its `data`. */
function writeSchema(document: Document, name: string, isEnvelope: boolean): string {
  const schema = findSchema(document, name)
  const shown = isEnvelope ? (schema.properties?.data ?? {}) : schema
  return `${toComment(schema.description)}export type ${name} = ${toType(document, shown)}\n`
}

const WITH_REASON = `/**
 * The reason why an error has its code, in snake_case that is never renamed, and the values of its message by name. A hub of
 * an earlier version sends neither.
 */
export type ErrorReason = { reason?: string; parameters?: Record<string, string | number> }

type WithReason<Details> = [Details] extends [null]
  ? ErrorReason | null
  : (NonNullable<Details> & ErrorReason) | Extract<Details, null>
`

/** The `details` of each error code. */
function writeErrorDetails(document: Document): string {
  const codes = Object.entries(findSchema(document, 'ErrorEnvelope')['x-error-codes'] ?? {})
  const members = codes.map(
    ([code, { details = { type: 'null' } }]) => `${code}: WithReason<${toType(document, details)}>`,
  )
  return `${WITH_REASON}\n/** Every error code of the hub, with its \`details\`. */\nexport type ErrorDetails = {\n${members.join('\n')}\n}\n`
}

type Event = { kind: string; schema: Schema; description: string }

function listEvents({ webhooks }: Document): Event[] {
  return Object.entries(webhooks).flatMap(([kind, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema
    return schema ? [{ kind, schema, description: post.summary }] : []
  })
}

function writeEvents(document: Document, events: Event[]): string {
  const members = events.map(
    ({ kind, schema, description }) =>
      `${toComment(description)}${toKey(kind)}: ${joinTypes([toType(document, schema)])}`,
  )
  return `/** The payloads of each kind of event. */\nexport type EventPayloads = {\n${members.join('\n')}\n}\n`
}
