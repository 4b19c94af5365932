/** The parts of an OpenAPI document that the SDK is generated from. */
export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  security: Record<string, unknown>[]
  'x-scope'?: string
  'x-also-scope'?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  'x-error-codes'?: Record<string, { status: number; details?: Schema }>
  'x-content-types'?: Record<string, Schema[]>
  'x-fallback'?: boolean
  'x-exactly-one-of'?: string[]
  examples?: unknown[]
}

/** The public API and the console's as one document, for types that both of them use. */
export function joinDocuments(api: Document, console: Document): Document {
  const schemas = { ...api.components.schemas, ...console.components.schemas }
  return { ...api, paths: { ...api.paths, ...console.paths }, components: { schemas } }
}

const REFERENCE = '#/components/schemas/'

export function readReference({ $ref }: Schema): string | undefined {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined
}

export function findSchema(document: Document, name: string): Schema {
  const schema = document.components.schemas[name]
  if (!schema) throw new Error(`openapi.json has no schema ${name}`)
  return schema
}

/** The schema itself, or the one that it refers to. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const name = readReference(schema)
  return name === undefined ? schema : findSchema(document, name)
}

/** The names of the schemas that these schemas refer to, directly or by way of others, in the order of the alphabet. */
export function listReferences(document: Document, schemas: Schema[]): string[] {
  const found = new Set<string>()
  function walk(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    const name = readReference(value)
    if (name !== undefined && !found.has(name)) {
      found.add(name)
      walk(findSchema(document, name))
    }
    for (const [key, member] of Object.entries(value)) if (key !== 'examples') walk(member)
  }
  walk(schemas)
  return [...found].sort()
}
