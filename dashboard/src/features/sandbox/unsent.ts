import type { AddressedMessageBody } from '@hubline/sdk/console'
import { createStore } from '../../lib/store.ts'
import type { Customer, CustomerMessage } from './customer.ts'

/** A message that could not be sent, as the customer or as the code. It stays until it is sent or dismissed, also on other pages. */
export type Unsent = { id: string; channelId: string; customer: Customer; error: unknown } & (
  | { kind: 'customer'; message: CustomerMessage }
  | { kind: 'answer'; answer: AddressedMessageBody; text: string }
)
type OfKind<Kind> = Extract<Unsent, { kind: Kind }>

const unsent = createStore<readonly Unsent[]>([])
let count = 0

/** Lists what could not be sent in a conversation. */
export function useUnsent<Kind extends Unsent['kind']>(kind: Kind, channelId: string, phone: string): OfKind<Kind>[] {
  return unsent
    .use()
    .filter((one): one is OfKind<Kind> => one.kind === kind)
    .filter((one) => one.channelId === channelId && one.customer.phone === phone)
}

type NewUnsent = { [Kind in Unsent['kind']]: Omit<OfKind<Kind>, 'id'> }[Unsent['kind']]

export function keepUnsent(failed: NewUnsent): void {
  count += 1
  unsent.set([...unsent.get(), { ...failed, id: String(count) } as Unsent])
}

/** Another attempt has failed too. */
export function noteFailure(id: string, error: unknown): void {
  unsent.set(unsent.get().map((one) => (one.id === id ? { ...one, error } : one)))
}

export function dropUnsent(id: string): void {
  unsent.set(unsent.get().filter((one) => one.id !== id))
}
