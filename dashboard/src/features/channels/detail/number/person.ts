import { isUserId } from '../../../../lib/user-id.ts'

const PHONE = /^\+?[1-9][0-9]{6,14}$/

/** A phone number without what people write between its digits, or a user id. Undefined for anything else. */
export function readPerson(text: string): string | undefined {
  const person = text.trim()
  if (isUserId(person)) return person
  const phone = person.replace(/[\s().-]/g, '')
  return PHONE.test(phone) ? phone : undefined
}
