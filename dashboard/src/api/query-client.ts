import { HubError } from '@hubline/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'

const RETRIES_MAX = 2

/** A refusal is final; a lost connection and an overloaded hub are worth another attempt. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof HubError ? error.status : null
  return failures < RETRIES_MAX && (status === null || status >= 500)
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof HubError && error.status === 401
}

type Callbacks = {
  /** A session that the pages relied on has ended. */
  onSessionEnd: () => void
  /** The organization has begun to require a second factor, which the person does not have. */
  onSecondFactorRequired: () => void
}

export function createQueryClient({ onSessionEnd, onSecondFactorRequired }: Callbacks): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        const isFirstLook = query.queryKey[0] === 'session' && query.state.data === undefined
        if (isSignedOut(error) && !isFirstLook) onSessionEnd()
        if (error instanceof HubError && error.code === 'TWO_FACTOR_REQUIRED') onSecondFactorRequired()
      },
    }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: true },
      // Passwords go into mutations and secrets come out of them: none outlives the form that shows it.
      mutations: { retry: false, gcTime: 0 },
    },
  })
}
