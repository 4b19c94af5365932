import { RANGES } from '../../api/generated/definitions.gen.ts'
import { isUuid } from '../../lib/uuid.ts'

type Range = (typeof RANGES)[number]

export type OverviewSearch = { range?: Range; channel_id?: string }

export function parseOverviewSearch({ range, channel_id }: Record<string, unknown>): OverviewSearch {
  const known = RANGES.find((one) => one === range)
  return { ...(known && { range: known }), ...(isUuid(channel_id) && { channel_id }) }
}
