import type { Ajv, AnySchemaObject, ErrorObject, SchemaValidateFunction } from 'ajv'

type Member = { properties: Record<string, { const?: string; enum?: string[] }> }

/**
 * OpenAPI's `discriminator`: the member that it names picks one schema of `oneOf`, and only that one is applied, so that
 * an error is reported at its own place. Each schema is compiled for the first object that needs it.
 * Ajv's own keyword refuses a value that no schema names. Here it passes, unless the union lists its values.
 * Ajv needs the option `discriminator`: with it, Ajv leaves such a `oneOf` to this keyword.
 */
export function installDiscriminator(ajv: Ajv): Ajv {
  return ajv.removeKeyword('discriminator').addKeyword({
    keyword: 'discriminator',
    type: 'object',
    errors: true,
    compile: ({ propertyName: name }: { propertyName: string }, { oneOf }: AnySchemaObject) => {
      const schemas = new Map<unknown, Member>(
        oneOf.flatMap((schema: Member) => toValues(schema.properties[name]).map((value) => [value, schema])),
      )
      const validate: SchemaValidateFunction = (object, place) => {
        const schema = schemas.get(object[name])
        const check = schema && ajv.compile(schema)
        if (!check || check(object, place)) return true
        // Filters before Ajv replaces the `schemaPath` of each error by that of the keyword.
        validate.errors = dropRepeatedErrors(check.errors ?? [])
        return false
      }
      return validate as (object: unknown) => boolean
    },
  })
}

/** Drops errors that repeat others: those of conditions, and of the schemas that a `oneOf` tried. */
export function dropRepeatedErrors<E extends Pick<ErrorObject, 'keyword' | 'schemaPath'>>(errors: E[]): E[] {
  return errors.filter(({ keyword, schemaPath }) => keyword !== 'if' && !/\/oneOf\/\d/.test(schemaPath))
}

function toValues(schema: Member['properties'][string] = {}): string[] {
  return schema.const === undefined ? (schema.enum ?? []) : [schema.const]
}
