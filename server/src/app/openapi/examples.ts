import { ABSENT, ABSENT_IN, FORMATS, PREFERRED, PREFERRED_IN, RARE, VALUES, VALUES_IN } from './example-values.ts'
import { EXACTLY_ONE } from './simplify.ts'

type Schema = {
  $ref?: string
  examples?: unknown[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  type?: string | string[]
  format?: string
  minimum?: number
  minItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[] | undefined
  additionalProperties?: boolean
  [EXACTLY_ONE]?: string[]
}

type Context = {
  schemas: Record<string, Schema>
  preferred: unknown[]
  absent: string[]
  values: Record<string, unknown>
}

/** Adds an example to each schema that is the whole of a request, a response or a payload. */
export function addExamples(document: object, schemas: Record<string, Schema>): Record<string, Schema> {
  const whole = new Set<string>()
  JSON.stringify(document, (key, value) => {
    if (key !== 'schema') return value
    if (value.$ref) whole.add(toName(value.$ref))
    return value
  })
  for (const name of [...whole]) for (const { $ref } of schemas[name]?.anyOf ?? []) if ($ref) whole.add(toName($ref))
  const entries = Object.entries(schemas).map(([name, schema]): [string, Schema] => {
    const isGiven = !whole.has(name) || schema.examples !== undefined
    const ofSchema = { absent: ABSENT_IN[name] ?? [], values: VALUES_IN[name] ?? {} }
    const context = { schemas, preferred: PREFERRED_IN[name] ?? PREFERRED, ...ofSchema }
    return [name, isGiven ? schema : { ...schema, examples: [buildExample(schema, '', context)] }]
  })
  return Object.fromEntries(entries)
}

/** A value that the schema accepts. A request has only what is required, a response all that is usual. */
function buildExample(schema: Schema, name: string, context: Context): unknown {
  if (Object.hasOwn(context.values, name)) return context.values[name]
  if (schema.$ref !== undefined) return buildExample(context.schemas[toName(schema.$ref)] ?? {}, name, context)
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((value) => context.preferred.includes(value)) ?? schema.enum[0]
  if (schema.anyOf) return buildFirst(schema.anyOf, name, context)
  if (schema.oneOf) return buildFirst(schema.oneOf, name, context)
  return buildByType(schema, name, context)
}

function buildByType(schema: Schema, name: string, context: Context): unknown {
  const value = VALUES[name]
  switch ([schema.type].flat()[0]) {
    case 'object':
      return isObject(value) ? value : buildObject(schema, context)
    case 'array':
      if (Array.isArray(value)) return value
      return Array(schema.minItems ?? 1).fill(buildExample(schema.items ?? {}, name, context))
    case 'string':
      return FORMATS[schema.format ?? ''] ?? (typeof value === 'string' ? value : '123456')
    case 'integer':
    case 'number':
      return schema.minimum ?? (typeof value === 'number' ? value : 1)
    case 'boolean':
      return typeof value === 'boolean' ? value : true
    case 'null':
      return null
    default:
      return value ?? null
  }
}

function buildFirst(variants: Schema[], name: string, context: Context): unknown {
  const isNullable = variants.some(({ type }) => type === 'null')
  return isNullable && [...ABSENT, ...context.absent].includes(name)
    ? null
    : buildExample(variants[0] ?? {}, name, context)
}

function buildObject(schema: Schema, context: Context): unknown {
  const { properties = {}, required = [], additionalProperties, [EXACTLY_ONE]: choice = [] } = schema
  const chosen = [...required, ...choice.slice(0, 1)]
  const isRequest = additionalProperties === false
  const members = Object.entries(properties)
  const rare = [...RARE, ...context.absent]
  const shown = members.filter(([name]) => chosen.includes(name) || (!isRequest && !rare.includes(name)))
  const some = shown.length > 0 ? shown : members.slice(0, 1)
  return Object.fromEntries(some.map(([name, member]) => [name, buildExample(member, name, context)]))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toName(reference: string): string {
  return reference.replace('#/components/schemas/', '')
}
