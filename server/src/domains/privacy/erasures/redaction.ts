import type { MessageError } from '../../messages/status.ts'
import { listIdentifiers, type Person } from './person.ts'

/** The code of an error stays, for statistics and for the key of the send; so do its texts, without the person. */
export function redactError(error: MessageError | null, person: Person): MessageError | null {
  if (error === null) return null
  return { ...error, title: redact(error.title, person), details: redact(error.details, person) }
}

function redact(text: string | null, person: Person): string | null {
  return listIdentifiers(person).reduce<string | null>((rest, identifier) => {
    return rest === null ? null : rest.replaceAll(identifier, '[erased]')
  }, text)
}
