import type { Statistics } from '@hubline/sdk/console'
import { cx } from '../../../lib/cx.ts'
import { formatNumber } from '../../../lib/format.ts'
import { Time } from '../../../ui/data/time.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useOverviewTexts } from '../overview-texts.ts'
import { FRAME } from './tiles.tsx'

type Row = { at: string; sent: number; delivered: number; read: number; failed: number; received: number }

/** The figures of the lines, newest first. */
export function FiguresTable({ statistics }: { statistics: Statistics }) {
  const t = useOverviewTexts()
  const u = useUiTexts()
  const columns: Column<Row>[] = [
    { id: 'at', header: u('period'), cell: ({ at }) => <Time at={at} /> },
    { id: 'sent', header: t('sent'), isNumber: true, cell: ({ sent }) => formatNumber(sent) },
    { id: 'delivered', header: t('delivered'), isNumber: true, cell: ({ delivered }) => formatNumber(delivered) },
    { id: 'read', header: t('read'), isNumber: true, cell: ({ read }) => formatNumber(read) },
    { id: 'failed', header: t('failedMessages'), isNumber: true, cell: ({ failed }) => formatNumber(failed) },
    { id: 'received', header: t('inbound'), isNumber: true, cell: ({ received }) => formatNumber(received) },
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    <section tabIndex={0} aria-label={t('figures')} className={cx(FRAME, 'max-h-80 overflow-y-auto px-4')}>
      <Table label={t('figures')} columns={columns} rows={toRows(statistics)} rowKey={({ at }) => at} />
    </section>
  )
}

function toRows({ since, bucket_seconds, messages }: Statistics): Row[] {
  return messages.sent.series
    .map((sent, position) => ({
      at: new Date(Date.parse(since) + position * bucket_seconds * 1000).toISOString(),
      sent,
      delivered: messages.delivered.series[position] ?? 0,
      read: messages.read.series[position] ?? 0,
      failed: messages.failed.series[position] ?? 0,
      received: messages.received.series[position] ?? 0,
    }))
    .toReversed()
}
