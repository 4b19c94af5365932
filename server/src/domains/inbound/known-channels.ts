import type { TargetChannel } from './routing.ts'

const CHANNELS_MAX = 20_000

export type KnownChannels = ReturnType<typeof createKnownChannels>

/**
 * The channels of numbers, as this process has read them last. A number may be another channel's meanwhile, so each
 * statement that writes by this compares it with the database.
 */
export function createKnownChannels() {
  const byNumber = new Map<string, TargetChannel>()

  return {
    get: (phoneNumberId: string) => byNumber.get(phoneNumberId),

    /** The channels of numbers; undefined if one of the numbers is not known. */
    list(phoneNumberIds: readonly string[]): TargetChannel[] | undefined {
      const channels = phoneNumberIds.flatMap((phoneNumberId) => byNumber.get(phoneNumberId) ?? [])
      return channels.length === phoneNumberIds.length ? channels : undefined
    },

    /** Takes what was read of numbers, and forgets those without a channel. */
    put(phoneNumberIds: readonly string[], channels: readonly TargetChannel[]): void {
      for (const phoneNumberId of phoneNumberIds) byNumber.delete(phoneNumberId)
      for (const channel of channels) byNumber.set(channel.phone_number_id, channel)
      // A map keeps the order in which its entries came.
      for (const phoneNumberId of byNumber.keys()) {
        if (byNumber.size <= CHANNELS_MAX) return
        byNumber.delete(phoneNumberId)
      }
    },
  }
}
