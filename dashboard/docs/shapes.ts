import type { Shape } from '../src/features/docs/content.ts'
import { parseInline } from './inline.ts'
import { type ApiDocument, readName, resolveSchema, type Schema } from './openapi.ts'

const NO_LINKS = { findTarget: () => undefined, findOperation: () => undefined }

export function toText(text: string) {
  return parseInline(text, NO_LINKS)
}

/** The schema in words. An object with a name is only named: `describeObjects` has what is in it. */
export function toShape(document: ApiDocument, schema: Schema): Shape {
  const { description } = schema
  const shape = describe(document, schema)
  return { ...shape, ...(description !== undefined && { text: toText(description) }) }
}

function describe(document: ApiDocument, schema: Schema): Shape {
  const name = readName(schema)
  if (name !== undefined) {
    const named = resolveSchema(document, schema)
    const { text: _, ...shape } = toShape(document, named)
    if (shape.fields === undefined && shape.variants === undefined) return toShape(document, named)
    return { type: shape.type, object: name, ...(named.description && { text: toText(named.description) }) }
  }
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return describeAlternatives(document, schema, alternatives)
  const types = [schema.type ?? guessType(schema)].flat()
  const type = types.find((one) => one !== 'null') ?? 'null'
  const shape = describeType(document, schema, type)
  return types.length > 1 && types.includes('null') ? orNull(shape) : shape
}

function guessType({ properties, items, enum: values, const: only }: Schema): string {
  if (properties) return 'object'
  if (items) return 'array'
  const value = only ?? values?.[0]
  return value === undefined ? 'any value' : typeof value
}

function orNull(shape: Shape): Shape {
  return { ...shape, type: `${shape.type} or null` }
}

function describeAlternatives(document: ApiDocument, schema: Schema, alternatives: Schema[]): Shape {
  const others = alternatives.filter(({ type }) => type !== 'null')
  const hasNull = others.length < alternatives.length
  const [only] = others
  if (others.length === 1 && only) {
    const shape = toShape(document, only)
    return hasNull ? orNull(shape) : shape
  }
  const variants = others.map((one) => ({ label: nameVariant(document, schema, one), shape: toShape(document, one) }))
  const isPlain = variants.every(({ shape }) => !shape.fields && !shape.object && !shape.variants)
  const type = isPlain ? [...new Set(variants.map(({ shape }) => shape.type))].join(' or ') : 'object'
  const values = isPlain ? variants.flatMap(({ shape }) => shape.values ?? []) : []
  const shape: Shape = isPlain ? { type, ...(values.length > 0 && { values }) } : { type, variants }
  return hasNull ? orNull(shape) : shape
}

/** A variant has the name that the union gives it, such as `type: text`, else its own. */
function nameVariant(document: ApiDocument, { discriminator }: Schema, variant: Schema): string {
  const { properties = {}, title, type } = resolveSchema(document, variant)
  const told = discriminator && properties[discriminator.propertyName]
  const values = told ? (told.enum ?? [told.const]).filter((value) => value !== undefined) : []
  if (discriminator && values.length > 0) return `${discriminator.propertyName}: ${values.join(', ')}`
  return title ?? readName(variant) ?? [type ?? 'object'].flat().join(' or ')
}

function describeType(document: ApiDocument, schema: Schema, type: string): Shape {
  const limits = listLimits(schema)
  const values = (schema.enum ?? [schema.const]).filter((value) => value !== undefined).map(String)
  const extras = { ...(limits.length > 0 && { limits }), ...(values.length > 0 && { values }) }
  if (type === 'array') {
    const { type: inner, text: _, limits: innerLimits = [], ...item } = toShape(document, schema.items ?? {})
    const all = [...limits, ...innerLimits]
    return { ...item, type: `array of ${inner}`, ...(all.length > 0 && { limits: all }) }
  }
  if (type !== 'object') return { type: schema.format ? `${type} (${schema.format})` : type, ...extras }
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.entries(properties).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    shape: toShape(document, property),
  }))
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0) {
    fields.push({ name: '*', isRequired: false, shape: toShape(document, additionalProperties) })
  }
  return { type, ...extras, ...(fields.length > 0 && { fields }) }
}

function listLimits(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, uniqueItems, minProperties } = schema
  return [
    toRange(minLength, maxLength, 'characters'),
    toRange(minimum, maximum, ''),
    toRange(minItems, maxItems, 'items'),
    toRange(minProperties, undefined, 'members'),
    uniqueItems && 'no item twice',
    pattern && `matches ${pattern}`,
  ].filter((limit) => typeof limit === 'string')
}

function toRange(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined
  const words =
    least === undefined ? `at most ${most}` : most === undefined ? `at least ${least}` : `${least} to ${most}`
  const range = least !== undefined && least === most ? String(least) : words
  return unit === '' ? range : `${range} ${unit}`
}

/** Every named object that these shapes lead to, directly or by way of others. */
export function describeObjects(document: ApiDocument, shapes: readonly Shape[]): Record<string, Shape> {
  const objects: Record<string, Shape> = {}
  function walk(shape: Shape): void {
    const { object, fields = [], variants = [] } = shape
    if (object !== undefined && !(object in objects)) {
      const described = toShape(document, document.components.schemas[object] ?? {})
      objects[object] = described
      walk(described)
    }
    for (const field of fields) walk(field.shape)
    for (const variant of variants) walk(variant.shape)
  }
  for (const shape of shapes) walk(shape)
  return objects
}
