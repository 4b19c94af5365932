import type { Tx } from '../../../kernel/db/pool.ts'
import { AppError } from '../../../kernel/errors.ts'
import * as numbers from '../numbers-store.ts'

export type ChannelKey = { organizationId: string; id: string }

type ConnectedNumber = { phoneNumberId: string; wabaId: string; displayPhoneNumber: string | null }

/** Returns true if another channel is connected to the number. The result holds only under the number's lock. */
export async function isConnectedElsewhere(
  tx: Tx,
  { id }: ChannelKey,
  owner: numbers.NumberOwner | undefined,
): Promise<boolean> {
  return owner !== undefined && owner.channel_id !== id && (await numbers.isOwnerConnected(tx, owner))
}

/** Makes the channel the owner of the number. A disconnected owner loses the number to the next channel that connects it. */
export async function assignNumber(tx: Tx, key: ChannelKey, connected: ConnectedNumber): Promise<void> {
  const { phoneNumberId, wabaId } = connected
  const displayDigits = (connected.displayPhoneNumber ?? '').replace(/\D/g, '')
  const number = { phoneNumberId, wabaId, displayDigits, organizationId: key.organizationId, channelId: key.id }
  if (await numbers.insertNumber(tx, number)) return
  const owner = await numbers.lockNumber(tx, phoneNumberId)
  // The owner was deleted between the two statements, so the insert works now.
  if (!owner) return assignNumber(tx, key, connected)
  if (await isConnectedElsewhere(tx, key, owner)) throw numberAlreadyConnected()
  await numbers.moveNumber(tx, number)
}

/** Without the other channel's name: it would reveal another organization. */
export function numberAlreadyConnected(): AppError {
  return new AppError('NUMBER_ALREADY_CONNECTED', 'number_already_connected')
}
