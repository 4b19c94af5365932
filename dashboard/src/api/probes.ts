import { queryOptions, useQuery } from '@tanstack/react-query'

const EVERY_MS = 10_000

type Probe = { status: number; ms: number; isHeld: boolean }

/** The answer of a probe; a hub that cannot be reached is an answer too. */
export function probeQuery(path: '/health' | '/ready') {
  return queryOptions({
    queryKey: ['probe', path],
    queryFn: async ({ signal }): Promise<Probe> => {
      const start = performance.now()
      const response = await fetch(path, { signal })
      const ms = performance.now() - start
      const body: { data?: { status?: string } } = await response.json()
      return { status: response.status, ms, isHeld: body.data?.status === 'held' }
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
  })
}

/** True if the hub is on hold. It stays so while the hub does not answer, and `isAsking` is false. */
export function useHeld(isAsking: boolean): boolean {
  return useQuery({ ...probeQuery('/ready'), enabled: isAsking }).data?.isHeld ?? false
}
