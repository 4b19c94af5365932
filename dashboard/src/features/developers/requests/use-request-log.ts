import type { LoggedRequest } from '@hubline/sdk/console'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLiveEvents } from '../../../live/live.ts'
import type { RequestFilters } from '../search.ts'
import { requestsQuery } from './requests-query.ts'

type Log = InfiniteData<{ items: LoggedRequest[]; nextCursor: string | null }>

/** At most one look at the newest requests in this time. */
const GATHER_MS = 1000

/** The log page by page. What is new comes in by itself only while nothing is read. */
export function useRequestLog(organizationId: string, filters: RequestFilters, isCalm: boolean) {
  const client = useQueryClient()
  const options = requestsQuery(organizationId, filters)
  const log = useInfiniteQuery(options)
  const [hasNews, setNews] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLiveEvents(({ kind }) => {
    if (kind !== 'request.logged' && kind !== 'reload') return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setNews(true)
    }, GATHER_MS)
  })

  const key = JSON.stringify(options.queryKey)
  const release = useCallback(() => {
    setNews(false)
    const queryKey = JSON.parse(key)
    // The newest page is enough: older rows have not changed, and are loaded again on request.
    client.setQueryData<Log>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    void client.invalidateQueries({ queryKey: ['requests'] })
  }, [client, key])
  useEffect(() => {
    if (hasNews && isCalm) release()
  }, [hasNews, isCalm, release])
  const rows = log.data?.pages.flatMap(({ items }) => items) ?? []
  return { log, rows, hasNews: hasNews && !isCalm, release }
}
