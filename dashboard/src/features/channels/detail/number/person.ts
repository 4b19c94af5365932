const PHONE = /^\+?[1-9][0-9]{6,14}$/
const USER_ID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/

/** A phone number without what people write between its digits, or a user id. Undefined for anything else. */
export function readPerson(text: string): string | undefined {
  const person = text.trim()
  if (USER_ID.test(person)) return person
  const phone = person.replace(/[\s().-]/g, '')
  return PHONE.test(phone) ? phone : undefined
}
