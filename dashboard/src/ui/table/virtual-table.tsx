import type { LinkProps } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { useIsPhone } from '../../lib/screen.ts'
import { type Column, listCellClasses } from './columns.ts'
import { RowLink, TableHead } from './table.tsx'

type VirtualTableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowLink: (row: Row) => LinkProps
  openKey?: string | undefined
  /** Above the rows, below the head. */
  banner?: ReactNode
  /** Below the last row. */
  footer?: ReactNode
  /** Called when the last rows come into sight. */
  onEnd?: () => void
  onScroll?: (isAtTop: boolean) => void
}

const OVERSCAN = 12
const ROW_HEIGHT = 36
const PHONE_ROW_HEIGHT = 60

/** A long list: only the rows in sight, and some around them, are in the document. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, rowKey, rowLink, openKey, banner, footer, onEnd, onScroll } = props
  const frame = useRef<HTMLDivElement>(null)
  const rowHeight = useIsPhone() ? PHONE_ROW_HEIGHT : ROW_HEIGHT
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have another height.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const isAtEnd = last !== undefined && last.index >= rows.length - OVERSCAN
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])

  const open = rows.findIndex((row) => rowKey(row) === openKey)
  useEffect(() => {
    if (open >= 0) virtualizer.scrollToIndex(open, { align: 'auto' })
  }, [open, virtualizer])

  return (
    <div
      ref={frame}
      className="min-h-0 flex-1 overflow-auto"
      data-scroll-frame
      onScroll={(event) => onScroll?.(event.currentTarget.scrollTop < rowHeight)}
    >
      {banner}
      <table aria-label={label} aria-rowcount={rows.length} className="w-full border-collapse">
        <TableHead columns={columns} isSticky />
        <tbody>
          <Spacer height={first?.start ?? 0} />
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const isOpen = rowKey(row) === openKey
            return (
              <VirtualRow key={rowKey(row)} index={item.index} height={rowHeight} isOpen={isOpen} id={rowKey(row)}>
                {columns.map((column, position) => (
                  <td key={column.id} className={listCellClasses(column)}>
                    {position === 0 ? <RowLink {...rowLink(row)}>{column.cell(row)}</RowLink> : column.cell(row)}
                  </td>
                ))}
              </VirtualRow>
            )
          })}
          <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} />
        </tbody>
      </table>
      {footer}
    </div>
  )
}

type VirtualRowProps = { id: string; index: number; height: number; isOpen: boolean; children: ReactNode }

function VirtualRow({ id, index, height, isOpen, children }: VirtualRowProps) {
  return (
    <tr
      data-row={id}
      aria-rowindex={index + 1}
      aria-current={isOpen || undefined}
      style={{ height }}
      className={cx(
        'relative border-b border-line',
        isOpen ? 'bg-selected shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover',
      )}
    >
      {children}
    </tr>
  )
}

function Spacer({ height }: { height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null
}
