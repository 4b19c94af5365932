import { type Static, type TLiteral, type TSchema, Type } from 'typebox'
import { strictObject, unionByType } from '../../../kernel/http/schemas.ts'
import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'
import { Contacts } from './contacts.ts'
import { Interactive } from './interactive.ts'
import { Location } from './location.ts'
import { Audio, Document, Image, Sticker, Video } from './media.ts'
import { MessageTemplate } from './template.ts'
import { text } from './text.ts'

const to = Type.String({
  pattern: PATTERNS.not_phone_digits,
  description: 'A phone number with its country code, digits only, such as 5511987654321.',
})

export const Text = strictObject({ body: text(4096), preview_url: Type.Optional(Type.Boolean()) })

export const Reaction = strictObject({
  message_id: text(),
  emoji: Type.String({ description: 'The emoji of the reaction. An empty text removes it.' }),
})

const messages = [
  message('text', Text),
  message('image', Image),
  message('audio', Audio),
  message('video', Video),
  message('document', Document),
  message('sticker', Sticker),
  message('location', Location),
  message('contacts', Contacts),
  message('reaction', Reaction),
  message('interactive', Interactive),
  message('template', MessageTemplate),
]

export const MessageBody = unionByType(messages, {
  members: { to },
  description: 'A message to one person, with the member that `type` names. Members that are null count as absent.',
})
export type MessageBody = Static<typeof MessageBody>

/** Removes `to` from each variant. Omit of the union itself would keep only the members that all variants have. */
type WithoutTo<T> = T extends { to: string } ? Omit<T, 'to'> : never

export const AddressedMessageBody = Type.Unsafe<WithoutTo<MessageBody>>(
  unionByType(messages.map(withoutTo), {
    description:
      'A message whose recipient is in the path, with the member that `type` names. Members that are null count as absent.',
  }),
)
export type AddressedMessageBody = Static<typeof AddressedMessageBody>

export const MarketingMessageBody = strictObject({
  to,
  type: Type.Literal('template'),
  template: MessageTemplate,
  product_policy: Type.Optional(
    Type.Enum(['CLOUD_API_FALLBACK', 'STRICT'], {
      description:
        'Says what happens to a message that the Marketing Messages API cannot send: it is sent as an ordinary message, or refused.',
    }),
  ),
  message_activity_sharing: Type.Optional(
    Type.Boolean({
      description: 'True lets the upstream use what the person does with this message for its own ranking.',
    }),
  ),
})
export type MarketingMessageBody = Static<typeof MarketingMessageBody>
export type MessageType = MessageBody['type']

export const MESSAGE_TYPES: MessageType[] = messages.map(({ properties }) => properties.type.const)

/** The member that `type` names, as it was sent. */
export function toContent(body: AddressedMessageBody): unknown {
  const content = (body as Record<string, unknown>)[body.type]
  if (content === undefined) throw new TypeError(`A message of type ${body.type} has no ${body.type}`)
  return content
}

function withoutTo({ properties: { to: _, ...properties } }: (typeof messages)[number]) {
  return strictObject(properties)
}

/** Beside `to` and `type`, exactly the member that `type` names. */
function message<T extends string, C extends TSchema>(type: T, content: C) {
  const members = { to, type: Type.Literal(type), [type]: content }
  return strictObject(members as { to: typeof to; type: TLiteral<T> } & Record<T, C>)
}
