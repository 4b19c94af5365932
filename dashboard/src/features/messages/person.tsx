import type { ConsoleMessage } from '@hubline/sdk/console'
import { formatPhone } from '../../lib/format.ts'
import { useMessagesTexts } from './messages-texts.ts'

type Someone = ConsoleMessage['person']

/** The phone number as people write it, or the user id of those who show none. */
export function Person({ person }: { person: Someone }) {
  if (person.phone !== null) return <span className="whitespace-nowrap text-text">{formatPhone(person.phone)}</span>
  return <span className="block truncate font-mono text-meta text-text">{person.user_id ?? '–'}</span>
}

export function usePersonText(): (person: Someone) => string {
  const t = useMessagesTexts()
  return ({ phone, user_id }) => (phone === null ? (user_id ?? t('unknownPerson')) : formatPhone(phone))
}
