import type { Ajv, AnySchemaObject, ErrorObject, SchemaValidateFunction } from 'ajv'

type Member = { properties: Record<string, { const?: string; enum?: string[] }> }

/**
 * Replaces Ajv's keyword `discriminator`. The value of the named member selects one schema of `oneOf`, and only that
 * schema is applied, so errors have the path of the member that is wrong. Unlike Ajv's keyword, it accepts a value that
 * selects no schema. Ajv skips the `oneOf` itself only if its option `discriminator` is set.
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
