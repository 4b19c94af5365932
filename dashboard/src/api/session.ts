import type { CurrentSession } from '@hubline/sdk/console'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { hub } from './hub.ts'

/** Fails without a session. A page that is shown while its session ends keeps what it knew until the browser has left it. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<CurrentSession> => hub.console.showSession(),
  staleTime: 60_000,
})

/** The organization requires a second factor, and the person has none: only the pages of the account work. */
export function lacksSecondFactor({ user, organization }: CurrentSession): boolean {
  return organization.two_factor_required && !user.totp_enabled
}

/** The session of a page that only a signed-in person sees. */
export function useSession(): CurrentSession {
  const { data } = useQuery(sessionQuery)
  if (!data) throw new Error('This page needs a session.')
  return data
}

export function useSignOut(onError?: () => void) {
  return useMutation({
    mutationFn: () => hub.console.signOut(),
    // Nothing of the session stays in memory: the browser loads another page.
    onSuccess: () => location.assign('/sign-in'),
    ...(onError && { onError }),
  })
}
