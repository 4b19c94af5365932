import type { LinkProps } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { cx } from '../../lib/cx.ts'
import { type Column, listCellClasses } from './columns.ts'
import { RowLink, TableHead } from './table.tsx'

type VirtualTableProps<Row> = {
  label: string
  /** Their widths are fixed by their classes, since the rows in sight change. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowLink: (row: Row) => LinkProps
  openKey?: string | undefined
  /** A cell has two lines. */
  isTwoLined?: boolean
  /** The whole row on a phone, in two lines. */
  phoneCell?: (row: Row) => ReactNode
  /** Above the rows, below the head. */
  banner?: ReactNode
  /** Below the last row. */
  footer?: ReactNode
  /** Called when the last rows come into sight. */
  onEnd?: () => void
  onScroll?: (isAtTop: boolean) => void
}

const OVERSCAN = 12
const HEAD_HEIGHT = 32
const ROW_HEIGHT = 36
const TWO_LINES_HEIGHT = 56
const BANNER_HEIGHT = 40
const PHONE_ROW_HEIGHT = 60
const FRAME = 'data-scroll-frame'

/** The widths of styles.css below which the side bar is a bar at the bottom, and below which it is icons. */
const useIsPhone = defineWidth('(width < 720px)')
export const useIsTablet = defineWidth('(width < 1100px)')

function defineWidth(media: string): () => boolean {
  const query = matchMedia(media)
  function subscribe(listener: () => void): () => void {
    query.addEventListener('change', listener)
    return () => query.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => query.matches)
}

/** Back to the first row. */
export function scrollToFirstRow(): void {
  document.querySelector(`[${FRAME}]`)?.scrollTo(0, 0)
}

/** A long list: only the rows in sight, and some around them, are in the document. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const {
    label,
    rows,
    rowKey,
    rowLink,
    openKey,
    isTwoLined = false,
    phoneCell,
    banner,
    footer,
    onEnd,
    onScroll,
  } = props
  const isPhone = useIsPhone()
  const isWhole = isPhone && phoneCell !== undefined
  const columns = useMemo(
    () => (isPhone && phoneCell !== undefined ? [{ id: 'row', header: label, cell: phoneCell }] : props.columns),
    [isPhone, phoneCell, label, props.columns],
  )
  const rowHeight = isPhone ? PHONE_ROW_HEIGHT : isTwoLined ? TWO_LINES_HEIGHT : ROW_HEIGHT
  const bannerHeight = banner ? BANNER_HEIGHT : 0
  const headHeight = bannerHeight + (isWhole ? 0 : HEAD_HEIGHT)

  const frame = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights are measured anew where they change.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const isAtEnd = last !== undefined && last.index >= rows.length - OVERSCAN
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])

  const open = openKey === undefined ? -1 : rows.findIndex((row) => rowKey(row) === openKey)
  useEffect(() => {
    if (open >= 0) virtualizer.scrollToIndex(open, { align: 'auto' })
  }, [open, virtualizer])
  useStillRows(frame, bannerHeight)

  return (
    <div
      ref={frame}
      className="min-h-0 flex-1 overflow-auto"
      {...{ [FRAME]: true }}
      onScroll={(event) => onScroll?.(event.currentTarget.scrollTop <= bannerHeight)}
    >
      <table aria-label={label} aria-rowcount={rows.length + 1} className="w-full table-fixed border-collapse">
        <TableHead columns={columns} isSticky isHidden={isWhole} banner={banner} />
        <tbody>
          <Spacer height={first ? first.start - headHeight : 0} />
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const id = rowKey(row)
            return (
              <VirtualRow
                key={id}
                id={id}
                row={row}
                index={item.index}
                height={rowHeight}
                isOpen={id === openKey}
                columns={columns}
                rowLink={rowLink}
              />
            )
          })}
          <Spacer height={virtualizer.getTotalSize() - (last ? last.end - headHeight : 0)} />
        </tbody>
      </table>
      {footer}
    </div>
  )
}

/** Rows do not move under the pointer when the banner comes or goes: the frame is scrolled by its height. */
function useStillRows(frame: { current: HTMLElement | null }, bannerHeight: number): void {
  const before = useRef(bannerHeight)
  useLayoutEffect(() => {
    frame.current?.scrollBy(0, bannerHeight - before.current)
    before.current = bannerHeight
  }, [frame, bannerHeight])
}

type VirtualRowProps<Row> = Pick<VirtualTableProps<Row>, 'columns' | 'rowLink'> & {
  id: string
  row: Row
  index: number
  height: number
  isOpen: boolean
}

/** Scrolling renders the rows that come into sight, and none of those that stay. */
const VirtualRow = memo(RowOfList) as typeof RowOfList

function RowOfList<Row>({ id, row, index, height, isOpen, columns, rowLink }: VirtualRowProps<Row>) {
  return (
    <tr
      data-row={id}
      aria-rowindex={index + 2}
      aria-current={isOpen || undefined}
      style={{ height }}
      className={cx(
        'relative border-b border-line',
        isOpen ? 'bg-selected shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover',
      )}
    >
      {columns.map((column, position) => (
        <td key={column.id} className={listCellClasses(column)}>
          {position === 0 ? <RowLink {...rowLink(row)}>{column.cell(row)}</RowLink> : column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null
}
