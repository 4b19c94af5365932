import type { Channel } from '@hubline/sdk/console'
import { CHANNEL_STATUSES, QUALITY_RATINGS } from '../../../api/generated/definitions.gen.ts'
import { fold } from '../../../lib/fold.ts'

const ANSWERS = ['yes', 'no'] as const

export type ChannelsSearch = {
  q?: string
  status?: (typeof CHANNEL_STATUSES)[number]
  quality?: (typeof QUALITY_RATINGS)[number]
  coexistence?: (typeof ANSWERS)[number]
  /** Opens the dialog that creates a channel. */
  create?: true
}

function pick<Value>(values: readonly Value[], wanted: unknown): Value | undefined {
  return values.find((value) => value === wanted)
}

export function parseChannelsSearch(search: Record<string, unknown>): ChannelsSearch {
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : ''
  const status = pick(CHANNEL_STATUSES, search.status)
  const quality = pick(QUALITY_RATINGS, search.quality)
  const coexistence = pick(ANSWERS, search.coexistence)
  return {
    ...(q !== '' && { q }),
    ...(status && { status }),
    ...(quality && { quality }),
    ...(coexistence && { coexistence }),
    ...(search.create === true && { create: true as const }),
  }
}

/** Finds a number also as people write it, with spaces and dashes. */
export function hasChannelText(channel: Channel, q: string): boolean {
  const { id, name, external_id, verified_name, phone_number_id, display_phone_number } = channel
  const texts = [id, name, external_id, verified_name, phone_number_id, display_phone_number]
  if (texts.some((text) => text !== null && fold(text).includes(fold(q)))) return true
  const digits = q.replace(/\D/g, '')
  const isNumber = digits.length >= 4 && /^[\d\s()+-]+$/.test(q)
  return isNumber && (display_phone_number ?? '').replace(/\D/g, '').includes(digits)
}

export function filterChannels(channels: readonly Channel[], search: ChannelsSearch): Channel[] {
  const { q, status, quality, coexistence } = search
  return channels.filter(
    (channel) =>
      (q === undefined || hasChannelText(channel, q)) &&
      (status === undefined || channel.status === status) &&
      (quality === undefined || channel.quality_rating === quality) &&
      (coexistence === undefined ||
        (channel.phone_number_id !== null && channel.coexistence === (coexistence === 'yes'))),
  )
}
