import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp } from '../../kernel/http/schemas.ts'
import { ChannelResponse } from '../channels/schemas.ts'

const UpstreamId = Type.String({ pattern: '^[0-9]{1,32}$', description: 'An id of the upstream: digits only' })
const Pin = Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits' })

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
    pattern: '^\\S+$',
    description: 'A token without spaces',
  }),
  waba_id: UpstreamId,
  phone_number_id: UpstreamId,
  coexistence: Type.Optional(Type.Boolean()),
  pin: Type.Optional(Pin),
})
export type ConnectWithToken = Static<typeof ConnectWithToken>

export const Connected = ChannelResponse
