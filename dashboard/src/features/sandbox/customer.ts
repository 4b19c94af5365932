import type { Conversation, WriteAsCustomer } from '@hubline/sdk/console'
import { formatPhone } from '../../lib/format.ts'

/** A person who writes to the channel from a simulated phone. */
export type Customer = Pick<Conversation['customers'][number], 'phone' | 'name' | 'username' | 'hides_phone'> & {
  /** Null until the simulator has said it. */
  user_id: string | null
  /** The person at the page described the customer just now: the simulator learns of the username with the first message. */
  isNew?: true
}
export type CustomerMessage = WriteAsCustomer['message']

/** By what the channel sees a customer: the number, or of those who hide it the username, or else the user id. */
export function toHandle({ phone, username, hides_phone, user_id }: Customer): string {
  if (!hides_phone) return formatPhone(phone)
  return username === null ? (user_id ?? '–') : `@${username}`
}
