import type { Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import * as numbers from '../numbers-store.ts'

export type ChannelKey = { organizationId: string; id: string }

type ConnectedNumber = { phoneNumberId: string; wabaId: string; displayPhoneNumber: string | null }

/** Whether another channel is connected to the number. The result holds only under the number's lock. */
export async function isTaken(tx: Tx, { id }: ChannelKey, holder: numbers.NumberHolder | undefined): Promise<boolean> {
  return holder !== undefined && holder.channel_id !== id && (await numbers.isHolderConnected(tx, holder))
}

/** A number belongs to one channel; a disconnected channel loses it to the next one that connects it. */
export async function takeNumber(tx: Tx, key: ChannelKey, connected: ConnectedNumber): Promise<void> {
  const { phoneNumberId, wabaId } = connected
  const displayDigits = (connected.displayPhoneNumber ?? '').replace(/\D/g, '')
  const number = { phoneNumberId, wabaId, displayDigits, organizationId: key.organizationId, channelId: key.id }
  if (await numbers.insertNumber(tx, number)) return
  const holder = await numbers.lockNumber(tx, phoneNumberId)
  // The holder was deleted between the two statements, so the insert works now.
  if (!holder) return takeNumber(tx, key, connected)
  if (await isTaken(tx, key, holder)) throw numberTaken()
  await numbers.moveNumber(tx, number)
}

/** Without the other channel's name: it would reveal another organization. */
export function numberTaken(): AppError {
  return new AppError('NUMBER_ALREADY_CONNECTED', 'This number is already connected to another channel.')
}
