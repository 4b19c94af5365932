import { type Static, Type } from 'typebox'
import { dataOf, documentAs, nullable, strictObject } from '../../kernel/http/schemas.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'

const open = { additionalProperties: true, 'x-passed-on': true }
const text = (description: string) => Type.Optional(Type.String({ description }))

/** The upstream's object, with ids as strings. */
export const Template = Type.Object(
  {
    id: Type.String({ description: "The upstream's id of the template in one language." }),
    name: text('The name that a send gives.'),
    status: text('The state of the review, such as APPROVED, PENDING, REJECTED, PAUSED or DISABLED.'),
    language: text('The language code, such as pt_BR.'),
    category: text('AUTHENTICATION, MARKETING or UTILITY.'),
    sub_category: text('A finer category, if the upstream gives one.'),
    parameter_format: text('POSITIONAL or NAMED.'),
    rejected_reason: text('The reason why the review refused it, or NONE.'),
    quality_score: Type.Optional(Type.Object({ score: text('GREEN, YELLOW, RED or UNKNOWN.') }, open)),
    components: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.String({ description: 'HEADER, BODY, FOOTER, BUTTONS or another part.' }),
            format: text('The content of a header: TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION.'),
            text: text('The text, with parameters in braces.'),
            buttons: Type.Optional(
              Type.Array(
                Type.Object(
                  {
                    type: Type.String({ description: 'QUICK_REPLY, URL or another type.' }),
                    text: text('The text of the button.'),
                  },
                  open,
                ),
              ),
            ),
          },
          open,
        ),
      ),
    ),
  },
  { ...open, description: 'A template as the upstream describes it. Members that are not listed are passed on.' },
)

/** Only the properties that the hub uses are read. */
const PassedOn = documentAs(
  Type.Object({ id: Type.String(), name: Type.Optional(Type.String()), status: Type.Optional(Type.String()) }, open),
  Template,
)

export const TemplateQuery = strictObject({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type TemplateQuery = Static<typeof TemplateQuery>

export const TemplatePage = dataOf({ templates: Type.Array(PassedOn), next_cursor: nullable(Type.String()) })

export const CreateTemplate = strictObject({
  name: Type.String({
    pattern: PATTERNS.not_template_name,
    description: 'The name has 1 to 512 lower-case letters, digits and underscores.',
    examples: ['order_ready'],
  }),
  language: Type.String({
    pattern: PATTERNS.not_language,
    description: 'The language code, such as pt_BR.',
  }),
  category: Type.String({
    pattern: PATTERNS.not_template_category,
    description: 'The category is AUTHENTICATION, MARKETING or UTILITY, in upper or lower case.',
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
