import { Link, type LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { type Column, listCellClasses } from './columns.ts'

type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The destination of a row: the whole row is the link, the first cell is its text. */
  rowLink?: (row: Row) => LinkProps
  openKey?: string | undefined
  size?: 'log' | 'normal' | 'double'
  /** Returns content before a row, over all columns; `undefined` is the end of the table. */
  between?: (row: Row | undefined) => ReactNode
}

const HEIGHTS = { log: 'h-9', normal: 'h-10', double: 'h-14' }

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  isSticky?: boolean
  /** Only for readers of the screen. */
  isHidden?: boolean
  banner?: ReactNode
}

export function TableHead<Row>({ columns, isSticky = false, isHidden = false, banner }: TableHeadProps<Row>) {
  return (
    <thead className={isSticky ? 'sticky top-0 z-10 bg-surface' : ''}>
      <tr className={isHidden ? 'sr-only' : 'h-8 border-b border-line'}>
        {columns.map((column) => (
          <th key={column.id} scope="col" className={cx(listCellClasses(column), 'text-meta font-medium text-text-3')}>
            {column.header}
          </th>
        ))}
      </tr>
      {banner && (
        <tr className="h-10 border-b border-line bg-bg">
          <td colSpan={columns.length}>{banner}</td>
        </tr>
      )}
    </thead>
  )
}

/** A short list: every row is in the document. */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowLink,
  openKey,
  size = 'normal',
  between,
}: TableProps<Row>) {
  return (
    <div className="overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse">
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <Fragment key={rowKey(row)}>
              <Between columns={columns.length}>{between?.(row)}</Between>
              <tr
                data-row={rowLink ? rowKey(row) : undefined}
                aria-current={openKey === rowKey(row) || undefined}
                className={cx(
                  'relative border-b border-line max-tablet:h-15',
                  HEIGHTS[size],
                  openKey === rowKey(row)
                    ? 'bg-selected shadow-[inset_2px_0_0_var(--accent)]'
                    : rowLink && 'hover:bg-hover',
                )}
              >
                {columns.map((column, position) => (
                  <td key={column.id} className={listCellClasses(column)}>
                    {position === 0 && rowLink ? (
                      <RowLink {...rowLink(row)}>{column.cell(row)}</RowLink>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            </Fragment>
          ))}
          <Between columns={columns.length}>{between?.(undefined)}</Between>
        </tbody>
      </table>
    </div>
  )
}

function Between({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    children && (
      <tr>
        <td colSpan={columns} className="p-0">
          {children}
        </td>
      </tr>
    )
  )
}

/** Its target covers the row; what has to be clicked for itself stands above it (`relative`). */
export function RowLink({ children, ...link }: LinkProps & { children: ReactNode }) {
  return (
    <Link
      {...link}
      data-row-link
      className="block text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
    >
      {children}
    </Link>
  )
}
