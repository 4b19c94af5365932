import { toStorableText } from '../../../kernel/db/rows.ts'
import { findCountry, UNKNOWN } from './country.ts'

/** A message with the price that the upstream named for it. `day` is the UTC day of the status that named it. */
export type PricedMessage = {
  organizationId: string
  channelId: string
  day: string
  category: string
  type: string
  country: string
}

export type Volume = PricedMessage & { volume: number }

/** The only type of pricing that the upstream charges. The others are free, in a customer service window for instance. */
export const CHARGED_TYPE = 'regular'

const FREE_TYPE = 'free'
const NAME_LENGTH_MAX = 64

type Status = { organizationId: string; channelId: string; at: string; number: string | null; userId: string | null }

export function toPricedMessage(status: Status, pricing: object): PricedMessage {
  const { category, type, billable } = pricing as Record<string, unknown>
  return {
    organizationId: status.organizationId,
    channelId: status.channelId,
    day: status.at.slice(0, 'YYYY-MM-DD'.length),
    category: toName(category) ?? UNKNOWN,
    // Pricing of before July 2025 has no type.
    type: toName(type) ?? (billable === false ? FREE_TYPE : CHARGED_TYPE),
    country: findCountry(status.number, status.userId),
  }
}

function toName(value: unknown): string | undefined {
  const isName = typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH_MAX
  return isName ? toStorableText(value) : undefined
}

/** Adds up single messages. */
export function sumPriced(messages: readonly PricedMessage[]): Volume[] {
  const sums = new Map<string, Volume>()
  for (const message of messages) {
    const { channelId, day, category, type, country } = message
    const key = JSON.stringify([channelId, day, category, type, country])
    const sum = sums.get(key)
    if (sum) sum.volume += 1
    else sums.set(key, { ...message, volume: 1 })
  }
  return [...sums.values()]
}
