import { queryOptions, useQuery } from '@tanstack/react-query'
import { hub } from './hub.ts'

/** The kind of this hub, which is known before a sign-in. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => hub.console.showSetup(),
  staleTime: Number.POSITIVE_INFINITY,
})

/** True if the hub sends mail: then an e-mail can be verified, and a second factor needs a verified one. */
export function useMail(): boolean {
  return useQuery(setupQuery).data?.password_reset ?? false
}

/** True if a simulator stands in for WhatsApp. */
export function useSandbox(): boolean {
  return useQuery(setupQuery).data?.sandbox ?? false
}
