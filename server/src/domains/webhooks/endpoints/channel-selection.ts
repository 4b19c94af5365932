import type { Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidRequest, toIssue } from '../../../kernel/errors.ts'
import * as store from './channels-store.ts'
import type { UpdateWebhook } from './schemas.ts'

/** The limit for all endpoints of an organization together, because the list of endpoints has all of them and no pages. */
export const CHANNEL_IDS_MAX = 20_000

/** An endpoint gets the events of every channel, with `channel_ids` empty, or those of at least one listed channel. */
export function refuseConflict(allChannels: boolean, channelIds: readonly string[]): void {
  if (allChannels && channelIds.length > 0) refuse('channel_ids_not_empty')
  if (!allChannels && channelIds.length === 0) refuse('channel_ids_empty')
}

function refuse(reason: 'channel_ids_not_empty' | 'channel_ids_empty'): never {
  throw new AppError('INVALID_WEBHOOK', reason, { details: { issues: [toIssue('/channel_ids', reason)] } })
}

/** Returns the ids in lower case, as the hub prints them. An id that is listed twice is refused: the caller meant another. */
export function parseChannelIds(channelIds: readonly string[]): string[] {
  const ids = channelIds.map((id) => id.toLowerCase())
  const duplicate = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (duplicate < 0) return ids
  const issues = [toIssue(`/channel_ids/${duplicate}`, 'named_twice')]
  throw invalidRequest('channel_named_twice', { issues })
}

/** Returns the ids that are channels of the organization. They stay so until the transaction ends. */
export type LockOpenChannels = (
  tx: Tx,
  channels: { organizationId: string; channelIds: readonly string[] },
) => Promise<string[]>

/** Absent and archived channels and those of another organization are refused alike. */
export function refuseUnknownChannels(channelIds: readonly string[], open: readonly string[]): void {
  const issues = channelIds.flatMap((id, index) =>
    open.includes(id) ? [] : [toIssue(`/channel_ids/${index}`, 'unknown_channel')],
  )
  if (issues.length > 0) throw new AppError('INVALID_WEBHOOK', 'channel_unknown', { details: { issues } })
}

/** Locks the channels that a change lists. This comes before the lock of the endpoint, as in the deletion of a channel. */
export async function lockListedChannels(
  tx: Tx,
  organizationId: string,
  body: UpdateWebhook,
  lockOpenChannels: LockOpenChannels,
) {
  const channelIds = body.channel_ids && parseChannelIds(body.channel_ids)
  return channelIds && { channelIds, open: await lockOpenChannels(tx, { organizationId, channelIds }) }
}

/**
 * Stores the listed channels, and checks the selection that results. A request that names neither field is not checked, so
 * that an endpoint whose channels are all deleted accepts other changes.
 */
export async function updateChannels(
  tx: Tx,
  key: { organizationId: string; id: string },
  before: { all_channels: boolean; channel_ids: readonly string[] },
  allChannels: boolean | undefined,
  listed: Awaited<ReturnType<typeof lockListedChannels>>,
): Promise<void> {
  if (allChannels === undefined && !listed) return
  refuseConflict(allChannels ?? before.all_channels, listed?.channelIds ?? (await store.listChannelIds(tx, key)))
  if (!listed) return
  refuseUnknownChannels(listed.channelIds, listed.open)
  await reserveChannelIds(tx, key.organizationId, listed.channelIds.length - before.channel_ids.length)
  await store.replaceChannels(tx, key, listed.channelIds)
}

/**
 * Throws unless the endpoints of the organization may list `added` more channels. The lock is the last that a transaction
 * takes, so it cannot deadlock with those of channels and endpoints. A change that adds none is always allowed.
 */
export async function reserveChannelIds(tx: Tx, organizationId: string, added: number): Promise<void> {
  if (added <= 0) return
  await store.lockLinkCount(tx, organizationId)
  const used = await store.countLinks(tx, organizationId)
  if (used + added <= CHANNEL_IDS_MAX) return
  throw new AppError('QUOTA_EXCEEDED', 'channel_ids_of_organization', {
    parameters: { limit: CHANNEL_IDS_MAX, used },
    details: { quota: 'channel_ids', limit: CHANNEL_IDS_MAX, used },
  })
}
