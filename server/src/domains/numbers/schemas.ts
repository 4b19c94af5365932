import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, PageQuery, strictObject } from '../../kernel/http/schemas.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'

const Text = nullable(Type.String())

export const BlockRequest = strictObject({
  people: Type.Array(
    Type.String({
      pattern: PATTERNS.not_person,
      description: 'A phone number with its country code, or a user id of the upstream.',
    }),
    { minItems: 1, maxItems: 50, uniqueItems: true, examples: [['+5511987654321', 'BR.1234567890']] },
  ),
})
export type BlockRequest = Static<typeof BlockRequest>

export const BlockedPerson = Type.Object({
  person: Type.String({
    description: 'The person as the request named them; in a list, the number, else the user id.',
  }),
  wa_id: Text,
  user_id: Text,
})

export const PersonNotChanged = Type.Object({
  person: Type.String({ description: 'The person as the request named them.' }),
  code: nullable(Type.Integer({ description: "The upstream's error code." })),
  title: Text,
})

export const BlockedPage = dataOf({ blocked: Type.Array(BlockedPerson), next_cursor: Text })
export const PeopleBlocked = dataOf({ blocked: Type.Array(BlockedPerson), failed: Type.Array(PersonNotChanged) })
export const PeopleUnblocked = dataOf({ unblocked: Type.Array(BlockedPerson), failed: Type.Array(PersonNotChanged) })

const image = Type.Optional(
  oneOf(['svg', 'png'], { description: 'The format of the picture in `qr_image_url`, which is null without it.' }),
)

export const QrCodeQuery = strictObject({ ...PageQuery.properties, image })
export type QrCodeQuery = Static<typeof QrCodeQuery>

export const SaveQrCode = strictObject({
  prefilled_message: Type.String({
    minLength: 1,
    maxLength: 140,
    pattern: PATTERNS.not_filled,
    description: 'The text that stands in the chat of a person who scans the code.',
    examples: ['Olá! Quero fazer um pedido.'],
  }),
  image,
})
export type SaveQrCode = Static<typeof SaveQrCode>

export const QrCodeParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  code: Type.String({ pattern: PATTERNS.not_qr_code, description: 'The code of a QR code, letters and digits only.' }),
})

export const QrCode = Type.Object({
  code: Type.String(),
  prefilled_message: Type.String(),
  deep_link_url: Type.String({ description: 'Opens the chat with the text, as the picture does.' }),
  qr_image_url: nullable(Type.String({ description: 'The picture, at the upstream.' })),
})
export const QrCodeResponse = dataOf({ qr_code: QrCode })
export const QrCodePage = dataOf({ qr_codes: Type.Array(QrCode), next_cursor: Text })
export const QrCodeDeleted = dataOf({ code: Type.String(), deleted: Type.Boolean() })

export const SetUsername = strictObject({
  username: Type.String({
    pattern: PATTERNS.not_username,
    description: 'The username has 3 to 35 letters, digits, periods and underscores.',
    examples: ['padaria.central'],
  }),
})
export type SetUsername = Static<typeof SetUsername>

export const Username = Type.Object({
  username: nullable(Type.String({ description: 'The public name of the number; null for a number without one.' })),
  status: nullable(Type.String({ description: "The upstream's decision, such as approved, reserved or pending." })),
})
export const UsernameResponse = dataOf({ username: Username })
