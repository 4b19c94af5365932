import { queryOptions, useQuery } from '@tanstack/react-query'

export type Setup = { sign_up: 'open' | 'closed'; first_run: boolean; sandbox: boolean }

/** What kind of hub this is; known before a sign-in. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: async (): Promise<Setup> => (await (await fetch('/console/setup')).json()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export function useSandbox(): boolean {
  return useQuery(setupQuery).data?.sandbox ?? false
}
