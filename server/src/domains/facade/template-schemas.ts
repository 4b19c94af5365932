import { type Static, Type } from 'typebox'
import { dataOf, strictObject, Uuid } from '../../kernel/http/schemas.ts'

export const TemplateParams = Type.Object({
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 512 }),
})

export const TemplateDeletionQuery = strictObject({
  hsm_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The id of the template in one language. Without it, all languages are deleted.',
    }),
  ),
})

export const EditTemplate = strictObject({
  hsm_id: Type.String({ maxLength: 64, description: 'The id of the template in one language.' }),
  category: Type.Optional(Type.Enum(['AUTHENTICATION', 'MARKETING', 'UTILITY'])),
  components: Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true }), {
    maxItems: 20,
    description: 'The upstream replaces all components by these, and reviews the template again.',
  }),
})
export type EditTemplate = Static<typeof EditTemplate>

export const TemplateEdited = dataOf({ edited: Type.Literal(true) })

export const TemplatesDeleted = dataOf({ deleted: Type.Literal(true) })

export const ExampleUploaded = dataOf({
  handle: Type.String({
    description: 'The handle for `example.header_handle` of a header.',
    examples: ['4::aW1hZ2UvcG5n:ARZ'],
  }),
})
