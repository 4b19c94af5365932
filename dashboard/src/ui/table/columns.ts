import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'

export type Column<Row> = {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  isNumber?: boolean
  /** The narrowest screen that has room for it. Columns drop from the right. */
  from?: 'tablet' | 'desktop'
  className?: string
}

/** On a phone the column takes what the others leave, and cuts what is longer. */
export const CUT_ON_PHONES = 'max-tablet:w-full max-tablet:max-w-0'

export function listCellClasses<Row>({ isNumber, from, className }: Column<Row>): string {
  const hidden = from === 'tablet' ? 'max-tablet:hidden' : from === 'desktop' ? 'max-desktop:hidden' : ''
  return cx('px-3 first:pl-0 last:pr-0', isNumber ? 'text-right' : 'text-left', hidden, className)
}
