import { Type } from 'typebox'
import { unionByType } from '../../../kernel/http/schemas.ts'
import { File, Link } from './media.ts'
import { text } from './text.ts'

export const LinkAction = Type.Object({
  name: Type.Literal('cta_url'),
  parameters: Type.Object({ display_text: text(20), url: Link }),
})

export const QuickReplyAction = Type.Object({
  buttons: Type.Array(
    Type.Object({
      type: Type.Literal('quick_reply'),
      quick_reply: Type.Object({ id: text(20), title: text(20) }),
    }),
    { minItems: 1 },
  ),
})

export const CardAction = Type.Unsafe<{ buttons?: unknown }>({
  description: 'A link, or quick replies in `buttons`.',
  if: { required: ['buttons'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
  then: QuickReplyAction,
  else: LinkAction,
})

const card_index = Type.Integer({ minimum: 0, maximum: 9 })

export const CardHeader = unionByType([
  Type.Object({ type: Type.Literal('image'), image: File }),
  Type.Object({ type: Type.Literal('video'), video: File }),
])

export const InteractiveCard = unionByType(
  [
    Type.Object({
      type: Type.Literal('cta_url'),
      card_index,
      header: CardHeader,
      body: Type.Optional(Type.Object({ text: text(160) })),
      action: CardAction,
    }),
    Type.Object({
      type: Type.Literal('product'),
      card_index,
      action: Type.Object({ product_retailer_id: text(), catalog_id: text() }),
    }),
  ],
  { isOpen: true },
)

export const Cards = Type.Array(InteractiveCard, {
  minItems: 2,
  maxItems: 10,
  description: 'All with links, all with quick replies, or all products. Each `card_index` occurs once.',
})
