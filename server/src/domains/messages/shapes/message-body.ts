import { type Static, Type } from 'typebox'
import type { Issue } from '../../../kernel/errors.ts'
import { oneOf, strictObject } from '../../../kernel/http/schemas.ts'
import { Contacts } from './contacts.ts'
import { interactive } from './interactive.ts'
import { Location, refuseLocation } from './location.ts'
import { Audio, Document, Image, refuseFile, Sticker, Video } from './media.ts'
import { template } from './template.ts'

/** As many as the validator of bodies would list. */
const ISSUES_MAX = 20

export const MESSAGE_TYPES = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'interactive',
  'template',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

const FILE_TYPES = ['image', 'audio', 'video', 'document', 'sticker'] as const

const Text = strictObject({
  body: Type.String({ minLength: 1, maxLength: 4096 }),
  preview_url: Type.Optional(Type.Boolean()),
})

const Reaction = strictObject({
  message_id: Type.String({ minLength: 1 }),
  emoji: Type.String({ description: 'Empty to take the reaction back' }),
})

/**
 * Flat, although `type` decides which one of the objects is there: so a mistake
 * inside one is reported at its own place, and not as eleven shapes that do not
 * fit. What this leaves open, {@link refuseBody} closes.
 */
export const MessageBody = strictObject(
  {
    to: Type.String({ pattern: '^[1-9][0-9]{7,14}$', description: 'A phone number with its country code' }),
    type: oneOf(MESSAGE_TYPES),
    text: Type.Optional(Text),
    image: Type.Optional(Image),
    audio: Type.Optional(Audio),
    video: Type.Optional(Video),
    document: Type.Optional(Document),
    sticker: Type.Optional(Sticker),
    location: Type.Optional(Location),
    contacts: Type.Optional(Contacts),
    reaction: Type.Optional(Reaction),
    interactive: Type.Optional(interactive.schema),
    template: Type.Optional(template.schema),
  },
  { description: 'Beside `to` and `type`, exactly the member that `type` names.' },
)
export type MessageBody = Static<typeof MessageBody>
export type MessageContent = NonNullable<MessageBody[MessageType]>

/** What is wrong with a body that the schema has let through. Nothing in it is changed. */
export function refuseBody(body: MessageBody): Issue[] {
  const misplaced = refuseMembers(body)
  if (misplaced.length > 0) return misplaced

  const issues = [
    ...FILE_TYPES.flatMap((type) => (body[type] ? refuseFile(body[type], `/${type}`) : [])),
    ...(body.location ? refuseLocation(body.location, '/location') : []),
    ...(body.interactive ? interactive.refuse(body.interactive, '/interactive') : []),
    ...(body.template ? template.refuse(body.template, '/template') : []),
  ]
  return issues.slice(0, ISSUES_MAX)
}

/** The member that `type` names, as it was sent. */
export function contentOf(body: MessageBody): MessageContent {
  const content = body[body.type]
  if (content === undefined) throw new TypeError(`A message of type ${body.type} has no ${body.type}`)
  return content
}

function refuseMembers(body: MessageBody): Issue[] {
  return MESSAGE_TYPES.flatMap((type) => {
    const isNamed = type === body.type
    if (isNamed === (body[type] !== undefined)) return []
    const message = isNamed ? 'is required where type is' : 'is not allowed where type is'
    return [{ path: `/${type}`, message: `${message} ${body.type}` }]
  })
}
