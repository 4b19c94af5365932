import { RANGES } from '../../api/generated/definitions.gen.ts'
export type Range = (typeof RANGES)[number]

export type OverviewSearch = { range?: Range; channel_id?: string }

export function parseOverviewSearch({ range, channel_id }: Record<string, unknown>): OverviewSearch {
  const known = RANGES.find((one) => one === range)
  const isId = typeof channel_id === 'string' && /^[0-9a-f-]{36}$/i.test(channel_id)
  return { ...(known && { range: known }), ...(isId && { channel_id }) }
}
