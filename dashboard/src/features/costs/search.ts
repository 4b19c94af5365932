import { isUuid } from '../../lib/uuid.ts'

/** `month` is `2026-11`; without it the current one is shown. */
export type CostsSearch = { month?: string; channel_id?: string }

export function parseCostsSearch({ month, channel_id }: Record<string, unknown>): CostsSearch {
  return {
    ...(typeof month === 'string' && /^20\d\d-(?:0[1-9]|1[0-2])$/.test(month) && { month }),
    ...(isUuid(channel_id) && { channel_id }),
  }
}
