import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { type DetailSearch, toDeliveryFilters } from '../search.ts'

const PAGE_LENGTH = 100

/** The place at which a page begins: its cursor, and the time of the last delivery before it. */
type Place = { cursor: string; below: string | undefined }

export type DeliveryPage = ReturnType<typeof useDeliveryPage>

/** One page of the deliveries, so that only its rows are in the document and are read again when something changes. */
export function useDeliveryPage(webhookId: string, { open, attempt, ...shown }: DetailSearch) {
  const text = JSON.stringify([webhookId, shown])
  const filters = useMemo(() => toDeliveryFilters(JSON.parse(text)[1], new Date()), [text])
  const [turned, setTurned] = useState<{ text: string; places: readonly Place[] }>({ text, places: [] })
  // Other filters begin at their first page.
  const places = turned.text === text ? turned.places : []
  const place = places.at(-1)
  const page = useQuery({
    queryKey: ['webhooks', webhookId, 'delivery-pages', filters, place?.cursor],
    queryFn: () =>
      hub.console.searchDeliveries(webhookId, { ...filters, limit: PAGE_LENGTH, cursor: place?.cursor }).firstPage(),
    placeholderData: keepPreviousData,
  })
  const next = page.data?.nextCursor ?? null
  const rows = page.data?.items ?? []
  return {
    page,
    rows,
    number: places.length + 1,
    below: place?.below,
    hasOlder: next !== null,
    isFiltered: Object.keys(filters).length > 0,
    showOlder() {
      if (next === null || page.isPlaceholderData) return
      const below = rows.at(-1)?.created_at ?? place?.below
      setTurned({ text, places: [...places, { cursor: next, below }] })
    },
    showNewer: () => setTurned({ text, places: places.slice(0, -1) }),
    showNewest: () => setTurned({ text, places: [] }),
  }
}
