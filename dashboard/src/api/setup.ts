import { HubError } from '@hubline/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { hub } from './hub.ts'

export type Setup = { sign_up: 'open' | 'closed'; first_run: boolean; sandbox: boolean }

/** What kind of hub this is; known before a sign-in. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: async (): Promise<Setup> => (await (await fetch('/console/setup')).json()).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether a simulator stands in for WhatsApp. */
export const sandboxQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: async (): Promise<boolean> => {
    try {
      return (await hub.console.showSandbox()).available
    } catch (err) {
      if (err instanceof HubError && err.status === 404) return false
      throw err
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export function useSandbox(): boolean {
  return useQuery(sandboxQuery).data ?? false
}
