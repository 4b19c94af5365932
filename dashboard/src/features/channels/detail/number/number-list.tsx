import {
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../../../ui/controls/button.tsx'
import { ErrorState, Skeleton } from '../../../../ui/states/list-states.tsx'
import { useNumberTexts } from './number-texts.ts'

type Page<Item> = { items: Item[]; nextCursor: string | null }
type NumberListQuery<Item> = { items: Item[] | undefined; query: UseInfiniteQueryResult }

/** A list that the upstream keeps of a number, one page after the other. */
export function useNumberList<Item>(
  queryKey: QueryKey,
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): NumberListQuery<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  return { items: query.data?.pages.flatMap(({ items }) => items), query }
}

type NumberFrameProps = {
  query: Pick<UseQueryResult, 'isPending' | 'isLoadingError' | 'error' | 'refetch'>
  /** The title of an error. */
  failed: string
  /** The number of rows that are expected. */
  rows: number
  children: ReactNode
}

/** Shows that a card of the number loads or could not be loaded, and otherwise its content. */
export function NumberFrame({ query, failed, rows, children }: NumberFrameProps) {
  if (query.isPending) return <Skeleton rows={rows} />
  if (query.isLoadingError)
    return <ErrorState title={failed} error={query.error} onRetry={() => void query.refetch()} />
  return children
}

type NumberListProps<Item> = Omit<NumberFrameProps, 'query' | 'children'> & {
  list: NumberListQuery<Item>
  /** In place of a list without items. */
  empty: ReactNode
  toLine: (item: Item) => ReactNode
}

export function NumberList<Item>({ list: { items = [], query }, failed, rows, empty, toLine }: NumberListProps<Item>) {
  const t = useNumberTexts()
  return (
    <NumberFrame query={query} failed={failed} rows={rows}>
      {items.length === 0 ? empty : <ul className="flex flex-col">{items.map(toLine)}</ul>}
      {query.hasNextPage && (
        <Button size="bar" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </NumberFrame>
  )
}
