import type { CostReport } from '@hubline/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'

export type CostsScope = { since: string; until: string; channelId: string | undefined }

const GROUPINGS = ['day', 'channel', 'country', 'category'] as const satisfies CostReport['group_by'][]

export type Reports = Record<(typeof GROUPINGS)[number], CostReport>

export const costsKey = ['costs']

/** Everything that the page shows, read together so that its parts fit each other. */
export function costsQuery({ since, until, channelId }: CostsScope) {
  return queryOptions({
    queryKey: [...costsKey, since, until, channelId ?? null],
    placeholderData: keepPreviousData,
    async queryFn(): Promise<Reports> {
      const query = { since, until, ...(channelId !== undefined && { channel_id: channelId }) }
      const reports = await Promise.all(
        GROUPINGS.map(async (group_by) => [group_by, (await hub.billing.getCosts({ ...query, group_by })).costs]),
      )
      return Object.fromEntries(reports) as Reports
    },
  })
}
