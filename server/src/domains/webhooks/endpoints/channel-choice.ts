import type { Issue } from '../../../kernel/errors.ts'

/**
 * Every channel, and then none is named; or the named ones, and then there is
 * at least one. Returns what contradicts this, if anything does.
 */
export function contradictionIn(allChannels: boolean, channelIds: readonly string[]): Issue | undefined {
  if (allChannels && channelIds.length > 0) {
    return { path: '/channel_ids', message: 'must be empty where all_channels is true' }
  }
  if (!allChannels && channelIds.length === 0) {
    return { path: '/channel_ids', message: 'must name at least one channel where all_channels is false' }
  }
  return undefined
}
