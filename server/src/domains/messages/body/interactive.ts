import { type TSchema, Type } from 'typebox'
import { exactlyOneOf, unionByType } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'
import { Cards, LinkAction } from './carousel.ts'
import { File, NamedFile } from './media.ts'
import { AnyObject, text } from './text.ts'

const TTL_MINUTES_MAX = 30 * 24 * 60
export const ROWS_MAX = 10
export const PRODUCTS_MAX = 30

export const InteractiveBody = Type.Object({ text: text(1024) })
export const ListInteractiveBody = Type.Object({ text: text(4096) })
export const InteractiveFooter = Type.Object({ text: text(60) })
export const TextInteractiveHeader = Type.Object({ type: Type.Literal('text'), text: text(60) })
export const InteractiveHeader = unionByType([
  TextInteractiveHeader,
  Type.Object({ type: Type.Literal('image'), image: File }),
  Type.Object({ type: Type.Literal('video'), video: File }),
  Type.Object({ type: Type.Literal('document'), document: NamedFile }),
])

const footer = Type.Optional(InteractiveFooter)
const framed = { header: Type.Optional(InteractiveHeader), footer }
const absent = Type.Optional(Type.Never())

export const ReplyButton = Type.Object({
  type: Type.Literal('reply'),
  reply: Type.Object({ id: text(256), title: text(20) }),
})

export const ListRow = Type.Object({
  id: text(200),
  title: text(24),
  description: Type.Optional(Type.String({ maxLength: 72 })),
})
export const ListSection = Type.Object({ title: Type.Optional(text(24)), rows: Type.Array(ListRow, { minItems: 1 }) })
export const ProductSection = Type.Object({
  title: Type.Optional(text(24)),
  product_items: Type.Array(Type.Object({ product_retailer_id: text() }), { minItems: 1 }),
})

export const FlowParameters = Type.Object(
  {
    flow_message_version: Type.Literal('3'),
    flow_cta: text(30),
    flow_id: Type.Optional(text()),
    flow_name: Type.Optional(text()),
    mode: Type.Optional(Type.Enum(['draft', 'published'])),
    flow_token: Type.Optional(Type.String()),
    flow_action: Type.Optional(Type.Enum(['navigate', 'data_exchange'])),
    flow_action_payload: Type.Optional(
      Type.Object({ screen: text(), data: Type.Optional(Type.Object({}, { minProperties: 1 })) }),
    ),
  },
  exactlyOneOf('flow_id', 'flow_name'),
)

export const CallParameters = Type.Object({
  display_text: Type.Optional(text(20)),
  ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: TTL_MINUTES_MAX })),
  payload: Type.Optional(Type.String({ maxLength: 512 })),
})

export const AddressParameters = Type.Object({
  country: Type.String({
    pattern: PATTERNS.not_country,
    description: 'The country as two upper-case letters, such as BR.',
  }),
  values: Type.Optional(AnyObject),
  saved_addresses: Type.Optional(Type.Array(AnyObject)),
  validation_errors: Type.Optional(AnyObject),
})

export const Interactive = unionByType(
  [
    Type.Object({
      type: Type.Literal('button'),
      ...framed,
      body: InteractiveBody,
      action: Type.Object({
        buttons: Type.Array(ReplyButton, {
          minItems: 1,
          maxItems: 3,
          description: 'Each `id` and each `title` occurs once.',
        }),
      }),
    }),
    Type.Object({
      type: Type.Literal('list'),
      header: Type.Optional(unionByType([TextInteractiveHeader])),
      body: ListInteractiveBody,
      footer,
      action: Type.Object({ button: text(20), sections: sections(ListSection, `At most ${ROWS_MAX} rows in all.`) }),
    }),
    Type.Object({ type: Type.Literal('cta_url'), ...framed, body: InteractiveBody, action: LinkAction }),
    Type.Object({
      type: Type.Literal('location_request_message'),
      header: absent,
      body: InteractiveBody,
      footer: absent,
      action: Type.Object({ name: Type.Literal('send_location') }),
    }),
    Type.Object({
      type: Type.Literal('flow'),
      ...framed,
      body: InteractiveBody,
      action: Type.Object({ name: Type.Literal('flow'), parameters: FlowParameters }),
    }),
    Type.Object({
      type: Type.Literal('product'),
      header: absent,
      body: Type.Optional(InteractiveBody),
      footer,
      action: Type.Object({ catalog_id: text(), product_retailer_id: text() }),
    }),
    Type.Object({
      type: Type.Literal('product_list'),
      header: unionByType([TextInteractiveHeader]),
      body: InteractiveBody,
      footer,
      action: Type.Object({
        catalog_id: text(),
        sections: sections(ProductSection, `At most ${PRODUCTS_MAX} products in all.`),
      }),
    }),
    Type.Object({
      type: Type.Literal('catalog_message'),
      ...framed,
      body: InteractiveBody,
      action: Type.Object({
        name: Type.Literal('catalog_message'),
        parameters: Type.Optional(Type.Object({ thumbnail_product_retailer_id: Type.Optional(text()) })),
      }),
    }),
    Type.Object({
      type: Type.Literal('carousel'),
      header: absent,
      body: InteractiveBody,
      footer: absent,
      action: Type.Object({ cards: Cards }),
    }),
    Type.Object({
      type: Type.Literal('call_permission_request'),
      ...framed,
      body: Type.Optional(InteractiveBody),
      action: Type.Object({ name: Type.Literal('call_permission_request') }),
    }),
    Type.Object({
      type: Type.Literal('voice_call'),
      ...framed,
      body: InteractiveBody,
      action: Type.Object({ name: Type.Literal('voice_call'), parameters: Type.Optional(CallParameters) }),
    }),
    Type.Object({
      type: Type.Literal('address_message'),
      ...framed,
      body: InteractiveBody,
      action: Type.Object({ name: Type.Literal('address_message'), parameters: AddressParameters }),
    }),
  ],
  { isOpen: true },
)

function sections<S extends TSchema>(section: S, description: string) {
  return Type.Array(section, {
    minItems: 1,
    maxItems: 10,
    description: `${description} Several sections need a \`title\` each.`,
    if: { minItems: 2 },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
    then: { items: { required: ['title'] } },
  })
}
