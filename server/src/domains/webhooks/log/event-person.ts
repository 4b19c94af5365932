/** The person of an event about a message, as the normalized body names them: by number, by user id or by both. */
export function readPerson(body: Buffer | null): { phone: string | null; user_id: string | null } | null {
  const message = body === null ? undefined : JSON.parse(body.toString()).data?.message
  if (typeof message !== 'object' || message === null) return null
  const address = message.direction === 'inbound' ? message.from : message.to
  const isPhone = typeof address === 'string' && /^\+?[0-9]+$/.test(address)
  const userId = message.contact?.user_id ?? (isPhone ? null : address)
  const person = { phone: isPhone ? address : null, user_id: typeof userId === 'string' ? userId : null }
  return person.phone === null && person.user_id === null ? null : person
}
