type Schema = Record<string, unknown>
type Object = Schema & { properties: Record<string, Schema>; required?: string[] }

/** An alternative for every type that the union does not name. */
export const FALLBACK = 'x-fallback'
/** Members of which an object has exactly one. */
export const EXACTLY_ONE = 'x-exactly-one-of'

/**
 * A schema of the hub's own validation as generators of clients understand it: they make one class of each object, and one
 * type of each member. What they cannot say stands in the description, and the hub refuses it all the same.
 */
export function simplify(schema: Schema): Schema {
  return STEPS.reduce((simplified, step) => step(simplified), schema)
}

const STEPS = [
  dropTitle,
  toConstant,
  toUnion,
  toAlternatives,
  dropConditions,
  nameChoice,
  dropAbsent,
  toOneType,
  toFile,
]

/** Generators take a title for the name of a class. */
function dropTitle(schema: Schema): Schema {
  if (typeof schema.title !== 'string' || !('properties' in schema)) return schema
  const { title: _, ...rest } = schema
  return rest
}

/** An enumeration of one value becomes a class of its own in generated clients. */
function toConstant(schema: Schema): Schema {
  if (!Array.isArray(schema.enum) || schema.enum.length !== 1) return schema
  const { enum: values, ...rest } = schema
  return { ...rest, const: (values as unknown[])[0] }
}

/** The members that all variants have stand in each of them only. Of one variant there is no union. */
function toUnion(schema: Schema): Schema {
  if (!('discriminator' in schema) || !Array.isArray(schema.oneOf)) return schema
  const { type: _type, required: _required, properties: _properties, oneOf, discriminator, ...rest } = schema
  const [only, ...others] = oneOf as Schema[]
  if (only && others.length === 0) return simplify(only)
  const variants = (oneOf as Schema[]).map((variant) => ('type' in variant ? variant : toFallback(variant)))
  const isOpen = variants.some((variant) => FALLBACK in variant)
  // A generated client takes the first variant of an open union that fits, and the fallback fits always.
  return isOpen ? { ...rest, anyOf: variants } : { ...rest, oneOf: variants, discriminator }
}

function toFallback({ properties: _, title: _title, ...rest }: Schema): Schema {
  const type = { type: 'string', description: 'Any other type.' }
  return {
    ...rest,
    type: 'object',
    required: ['type'],
    properties: { type },
    additionalProperties: true,
    [FALLBACK]: true,
  }
}

function toAlternatives(schema: Schema): Schema {
  const { if: condition, then, else: otherwise, ...rest } = schema
  return condition && then && otherwise ? { ...rest, anyOf: [then, otherwise] } : schema
}

function dropConditions(schema: Schema): Schema {
  if (!('if' in schema) || !('then' in schema)) return schema
  const { if: _if, then: _then, ...rest } = schema
  return rest
}

function nameChoice(schema: Schema): Schema {
  if (!isObject(schema) || !Array.isArray(schema.oneOf)) return schema
  const { oneOf, ...rest } = schema
  return { ...rest, [EXACTLY_ONE]: (oneOf as { required: string[] }[]).flatMap(({ required }) => required) }
}

function dropAbsent(schema: Schema): Schema {
  if (!isObject(schema)) return schema
  const members = Object.entries(schema.properties).filter(([, { not }]) => not === undefined)
  return { ...schema, properties: Object.fromEntries(members) }
}

/** The first of several types, with its own limits. */
function toOneType(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema
  const { type, pattern, minimum, maximum, ...rest } = schema
  const [first] = type as string[]
  const isText = first === 'string'
  // A description of a pattern is a part of a sentence, and here there is no pattern any more.
  const description = !isText && typeof rest.description === 'string' && { description: `${rest.description}.` }
  return {
    type: first,
    ...rest,
    ...description,
    ...(isText && pattern !== undefined && { pattern }),
    ...(!isText && { minimum, maximum }),
  }
}

/** Generators know a file by this type; the response names its own. */
function toFile({ '*/*': file, ...rest }: Schema): Schema {
  return file === undefined ? rest : { ...rest, 'application/octet-stream': file }
}

function isObject(schema: Schema): schema is Object {
  return typeof schema.properties === 'object' && schema.properties !== null && !('paths' in schema)
}
