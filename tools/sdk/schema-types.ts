import { type Document, readReference, resolveSchema, type Schema } from './document.ts'

const SCALARS: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Writes the TypeScript type for a schema. Constraints that a type cannot express, such as lengths, are left out. */
export function toType(document: Document, schema: Schema): string {
  const reference = readReference(schema)
  if (reference !== undefined) return reference
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) {
    return joinTypes(alternatives.filter((one) => isNamed(document, one)).map((one) => toType(document, one)))
  }
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
 * TypeScript has no type "any string but these". A plain string would accept the known types with wrong members, so the
 * alternative for unknown types is left out, and a caller casts a type that the hub does not know yet.
 */
function isNamed(document: Document, schema: Schema): boolean {
  return !resolveSchema(document, schema)['x-fallback']
}

function toObject(document: Document, schema: Schema): string {
  return schema['x-content-types']
    ? toMessage(document, schema, schema['x-content-types'])
    : toPlainObject(document, schema)
}

/** Writes one alternative for each content: its type depends on the member `type`. */
function toMessage(document: Document, schema: Schema, types: Record<string, Schema[]>): string {
  const { type: _, content, ...properties } = schema.properties ?? {}
  const required = schema.required?.filter((name) => name in properties) ?? []
  const isNullable = content?.anyOf?.some(({ type }) => type === 'null')
  const groups = Map.groupBy(Object.entries(types), ([, schemas]) =>
    joinTypes([...schemas.map((one) => toType(document, one)), ...(isNullable ? ['null'] : [])]),
  )
  const members = [...groups].map(
    ([written, entries]) =>
      `{ type: ${joinTypes(entries.map(([type]) => JSON.stringify(type)))}\ncontent: ${written} }`,
  )
  return `${writeObject(document, { properties, required })} & (${members.join(' | ')})`
}

function toPlainObject(document: Document, schema: Schema): string {
  const { 'x-exactly-one-of': choice = [], ...shared } = schema
  return joinTypes(choice.length === 0 ? [writeObject(document, shared)] : choice.map(toChosen))

  function toChosen(chosen: string): string {
    const { properties = {}, required = [] } = shared
    return writeObject(
      document,
      { ...shared, required: [...required, chosen] },
      choice.filter((name) => name !== chosen && properties[name]),
    )
  }
}

function writeObject(document: Document, schema: Schema, absent: string[] = []): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : '?'
    const type = absent.includes(name) ? 'never' : toType(document, member)
    return `${toComment(member.description)}${toKey(name)}${mark}: ${type}`
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
