import { LANGUAGES } from '@hubline/locales/languages.ts'
import { type Static, Type } from 'typebox'
import { oneOf, strictObject } from '../../kernel/http/schemas.ts'

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
