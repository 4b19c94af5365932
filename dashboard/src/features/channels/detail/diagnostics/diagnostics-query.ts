import type { Diagnostics } from '@hubline/sdk/console'
import { queryOptions } from '@tanstack/react-query'
import { hub } from '../../../../api/hub.ts'

export type Diagnosis = Diagnostics & { tookMs: number }

/** Each run asks the upstream, so that only opening the page and its button do it. */
export function diagnosticsQuery(channelId: string) {
  return queryOptions({
    queryKey: ['diagnostics', channelId],
    async queryFn(): Promise<Diagnosis> {
      const startedAt = performance.now()
      const { diagnostics } = await hub.channels.diagnose(channelId)
      return { ...diagnostics, tookMs: performance.now() - startedAt }
    },
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
