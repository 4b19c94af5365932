import type { MessageError } from '../../messages/status.ts'
import { listIdentifiers, type Person } from './person.ts'

/**
 * The code of an error stays, for statistics and for the key of the send; so do its texts, without the person. The upstream
 * may repeat the recipient as it was sent.
 */
export function redactError(error: MessageError | null, person: Person, recipient: string | null): MessageError | null {
  if (error === null) return null
  const identifiers = recipient === null || recipient === '' ? [] : [recipient]
  identifiers.push(...listIdentifiers(person))
  return { ...error, title: redact(error.title, identifiers), details: redact(error.details, identifiers) }
}

function redact(text: string | null, identifiers: readonly string[]): string | null {
  return text && identifiers.reduce((rest, identifier) => rest.replaceAll(identifier, '[erased]'), text)
}
