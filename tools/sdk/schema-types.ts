import { type Document, readReference, resolveSchema, type Schema } from './document.ts'

const SCALARS: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** The TypeScript type of what a schema describes. Constraints that a type cannot say, such as lengths, are left out. */
export function toType(document: Document, schema: Schema): string {
  const reference = readReference(schema)
  if (reference !== undefined) return reference
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.not) return 'never'
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return joinTypes(alternatives.filter(isNamed).map((one) => toAlternative(document, schema, one)))
  if (schema.format === 'binary') return 'FileInput'
  if (schema.type === 'array') return `(${toType(document, schema.items ?? {})})[]`
  if (schema.type === 'object' || schema.properties) return toObject(document, schema)
  if (schema.type === undefined) return 'unknown'
  return joinTypes([schema.type].flat().map(toScalar))
}

function toScalar(type: string): string {
  const scalar = SCALARS[type]
  if (!scalar) throw new Error(`The SDK's generator does not know the type ${type}`)
  return scalar
}

/**
 * "Any other type than these" is no type of TypeScript: as a plain string it would also take the known types with wrong
 * members, so a caller casts what the hub does not know yet.
 */
function isNamed({ properties = {} }: Schema): boolean {
  return !Object.values(properties).some(({ not }) => not?.enum)
}

/** One alternative together with the members that all of them share. */
function toAlternative(document: Document, { oneOf, anyOf: _, ...shared }: Schema, alternative: Schema): string {
  if (!shared.properties) return toType(document, alternative)
  const { properties = {}, required = [], ...rest } = resolveSchema(document, alternative)
  const excluded = listRequired(oneOf).filter((name) => !required.includes(name) && !shared.required?.includes(name))
  const isWhole = Object.keys(shared.properties).every((name) => name in properties)
  if (isWhole) return toType(document, alternative)
  if (alternative.$ref) return `${toObject(document, shared)} & ${toType(document, alternative)}`
  return toObject(document, {
    ...shared,
    ...rest,
    properties: {
      ...shared.properties,
      ...properties,
      ...(Object.keys(properties).length === 0 && Object.fromEntries(excluded.map((name) => [name, { not: {} }]))),
    },
    required: [...(shared.required ?? []), ...required],
  })
}

/** `oneOf: [{required: ['id']}, {required: ['link']}]` means one of the two members and not both. */
function listRequired(alternatives: Schema[] = []): string[] {
  return alternatives.flatMap(({ required = [] }) => required)
}

function toObject(document: Document, { properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${toComment(member.description)}${toKey(name)}${mark}: ${toType(document, member)}`
  })
  const open =
    typeof additionalProperties === 'object'
      ? [`[name: string]: ${toType(document, additionalProperties)}`]
      : additionalProperties || members.length === 0
        ? ['[name: string]: unknown']
        : []
  return `{\n${[...members, ...open].join('\n')}\n}`
}

export function joinTypes(types: string[]): string {
  return [...new Set(types)].join(' | ')
}

export function toKey(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name)
}

export function toComment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`
}
