import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Timestamp, Uuid } from '../../kernel/http/schemas.ts'

function returnUrl(description: string) {
  return Type.Optional(Type.String({ format: 'uri', maxLength: 2048, description }))
}

export const ConnectLinkOptions = strictObject({
  success_url: returnUrl(
    'The address to which the page of the link offers to return once the number is connected: an https URL without a user name and password. The page shows its host before and after, and the hub adds nothing to it.',
  ),
  failure_url: returnUrl(
    'The address to which the page offers to return without a connected number: an https URL without a user name and password.',
  ),
  language: Type.Optional(
    oneOf(LANGUAGES, {
      description:
        "The language in which the page opens. Without it the page opens in the browser's language, or in the organization's if it has no texts in that one. The person can choose another one.",
    }),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'An object of at most 2 KB as JSON in UTF-8, for your own ids. It comes back in the `channel.connected` event of the connection that is made with this link.',
    }),
  ),
})
export type ConnectLinkOptions = Static<typeof ConnectLinkOptions>

export const LINK_STATES = ['open', 'in_use', 'used', 'expired', 'replaced'] as const

/** A link as the console lists it: its address was shown when it was created, and never again. */
export const ListedLink = Type.Object({
  id: Uuid,
  state: oneOf(LINK_STATES),
  created_by: nullable(
    Type.Object(
      { type: Type.String(), id: nullable(Type.String()), name: nullable(Type.String()) },
      { description: 'Null for a link that is older than this list.' },
    ),
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: nullable(Timestamp),
})
export type ListedLink = Static<typeof ListedLink>

export const ListedLinks = dataOf({ connect_links: Type.Array(ListedLink) })
