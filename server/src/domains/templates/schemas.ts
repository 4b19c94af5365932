import { type Static, Type } from 'typebox'
import { dataOf, nullable, strictObject } from '../../kernel/http/schemas.ts'

/** The upstream's object, with ids as strings. Only the properties that the hub uses are declared. */
export const Template = Type.Object(
  { id: Type.String(), name: Type.Optional(Type.String()), status: Type.Optional(Type.String()) },
  { additionalProperties: true },
)

export const TemplateQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type TemplateQuery = Static<typeof TemplateQuery>

export const TemplatePage = dataOf({ templates: Type.Array(Template), next_cursor: nullable(Type.String()) })

export const CreateTemplate = strictObject({
  name: Type.String({
    pattern: '^[a-z0-9_]{1,512}$',
    description: 'Lower-case letters, digits and underscores, 512 at most',
    examples: ['order_ready'],
  }),
  language: Type.String({
    pattern: '^[A-Za-z]{2,3}([_-][A-Za-z]{2,4})?$',
    description: 'A language code such as pt_BR',
  }),
  category: Type.String({
    pattern:
      '^([Aa][Uu][Tt][Hh][Ee][Nn][Tt][Ii][Cc][Aa][Tt][Ii][Oo][Nn]|[Mm][Aa][Rr][Kk][Ee][Tt][Ii][Nn][Gg]|[Uu][Tt][Ii][Ll][Ii][Tt][Yy])$',
    description: 'AUTHENTICATION, MARKETING or UTILITY, in upper or lower case',
  }),
  components: Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true }), {
    maxItems: 20,
    examples: [[{ type: 'BODY', text: 'Your order is ready.' }]],
  }),
  parameter_format: Type.Optional(Type.Enum(['POSITIONAL', 'NAMED'])),
  message_send_ttl_seconds: Type.Optional(Type.Integer({ minimum: -1, maximum: 2_592_000 })),
})
export type CreateTemplate = Static<typeof CreateTemplate>

export const CreatedTemplate = Type.Object({
  id: Type.String(),
  status: nullable(Type.String()),
  category: nullable(Type.String()),
})
export const TemplateCreated = dataOf({ template: CreatedTemplate })
