import { HubError } from '@hubline/sdk'
import type { CurrentSession } from '@hubline/sdk/console'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { hub } from './hub.ts'

export type { CurrentSession } from '@hubline/sdk/console'

/** Null without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<CurrentSession | null> => {
    try {
      return await hub.console.showSession()
    } catch (err) {
      if (err instanceof HubError && err.status === 401) return null
      throw err
    }
  },
  staleTime: 60_000,
})

/** The session of a page that only a signed-in person sees. */
export function useSession(): CurrentSession {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('This page needs a session.')
  return data
}
