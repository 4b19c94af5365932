import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../kernel/http/schemas.ts'
import { PATTERNS } from '../../kernel/http/validation/patterns.ts'
import { ChannelResponse } from '../channels/schemas.ts'

const UpstreamId = Type.String({
  pattern: PATTERNS.not_upstream_id,
  description: 'An id of the upstream, digits only.',
})
const Pin = Type.String({ pattern: PATTERNS.not_pin, description: 'The PIN has six digits.' })

export const LinkParams = Type.Object({ token: Type.String() })

export const OpenLink = dataOf({
  organization_name: Type.String(),
  channel_name: Type.String(),
  status: Type.Literal('open'),
  mode: oneOf(['embedded_signup', 'sandbox']),
  app_id: Type.String(),
  config_id: nullable(Type.String()),
  graph_version: Type.String(),
  expires_at: Timestamp,
  language: oneOf(LANGUAGES, { description: 'The language of the link, or of the organization if the link has none.' }),
  link_language: nullable(
    oneOf(LANGUAGES, { description: 'The language that the link was created with. Null if it was created without.' }),
  ),
  success_url: nullable(
    Type.String({
      description:
        'The address to which the page offers to return once the number is connected. Null if the link has none.',
    }),
  ),
  failure_url: nullable(
    Type.String({
      description:
        'The address to which the page offers to return without a connected number. Null if the link has none.',
    }),
  ),
  signup_url: nullable(Type.String()),
  brand: Type.Object(
    {
      color: nullable(
        Type.Object(
          {
            on_light: Type.String({
              description: 'The color on a light ground, such as `#7a2e5d`. White text can be read on it.',
            }),
            on_dark: Type.String({ description: 'A lighter form of the color, for a dark ground.' }),
          },
          { description: 'Null if the organization has no color, or one on which white text cannot be read.' },
        ),
      ),
      logo_url: nullable(
        Type.String({
          description: 'The address of the logo. It works as long as the link is open. Null without a logo.',
        }),
      ),
    },
    { description: 'The look that the organization gives its page.' },
  ),
})

export const Connect = strictObject({
  code: Type.String({ minLength: 1, maxLength: 2000 }),
  waba_id: UpstreamId,
  phone_number_id: Type.Optional(UpstreamId),
  coexistence: Type.Optional(Type.Boolean()),
  pin: Type.Optional(Pin),
})
export type Connect = Static<typeof Connect>

export const ConnectWithToken = strictObject({
  access_token: Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: PATTERNS.not_token,
    description: 'A token of the upstream, without spaces.',
  }),
  waba_id: UpstreamId,
  phone_number_id: UpstreamId,
  coexistence: Type.Optional(Type.Boolean()),
  pin: Type.Optional(Pin),
})
export type ConnectWithToken = Static<typeof ConnectWithToken>

export const Connected = ChannelResponse
