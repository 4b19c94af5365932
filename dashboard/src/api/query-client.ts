import { HubError } from '@hubline/sdk'
import { QueryCache, QueryClient } from '@tanstack/react-query'

const RETRIES_MAX = 2

/** A refusal is final; a lost connection and an overloaded hub are worth another attempt. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof HubError ? error.status : null
  return failures < RETRIES_MAX && (status === null || status >= 500)
}

export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        if (error instanceof HubError && error.status === 401 && query.queryKey[0] !== 'session') onSignedOut()
      },
    }),
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}
