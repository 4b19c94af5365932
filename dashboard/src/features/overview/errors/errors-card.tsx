import type { Statistics } from '@hubline/sdk/console'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useUpstreamErrors } from '../../../api/upstream-errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { MiniBars } from '../../../ui/charts/sparkline.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Age } from '../../../ui/data/time.tsx'
import { EmptyState } from '../../../ui/states/list-states.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { joinBuckets } from '../tiles/figures.ts'
import { useErrorsTexts } from './errors-texts.ts'

type ErrorGroup = Statistics['errors'][number]

const BARS = 12
const SHOWN_AT_FIRST = 5
/** Limits that end by themselves. */
const PASSING = ['4', '80007', '130429', '131056', '131057', '131064']

/** Failed messages by what the upstream said, and where. */
export function ErrorsCard({ statistics, channelId }: { statistics: Statistics; channelId: string | undefined }) {
  const t = useErrorsTexts()
  const columns = useErrorColumns()
  const [isWhole, setWhole] = useState(false)
  const { errors, messages, range } = statistics
  const shown = isWhole ? errors : errors.slice(0, SHOWN_AT_FIRST)
  const left = errors.length - shown.length
  return (
    <Card
      isFlush
      title={t('title')}
      aside={
        messages.failed.total > 0 && (
          <Link
            to="/messages"
            search={{ status: 'failed', date: range, ...(channelId && { channel_id: channelId }) }}
            className="font-medium text-accent"
          >
            {t('all', { count: messages.failed.total })}
          </Link>
        )
      }
      footer={
        left > 0 && (
          <Button kind="quiet" size="bar" onClick={() => setWhole(true)}>
            {t('showAll', { count: left })}
          </Button>
        )
      }
    >
      {errors.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
      ) : (
        <div className="px-4 [&_tbody_tr:last-child]:border-b-0">
          <Table
            label={t('title')}
            columns={columns}
            rows={shown}
            rowKey={({ code, channel_id }) => `${code} ${channel_id}`}
            rowLink={({ code, channel_id }) => ({
              to: '/messages',
              search: {
                ...(code === null ? { status: 'failed' as const } : { error_code: Number(code) }),
                channel_id,
                date: range,
              },
            })}
            size="double"
          />
        </div>
      )}
    </Card>
  )
}

function useErrorColumns(): Column<ErrorGroup>[] {
  const t = useErrorsTexts()
  const explain = useUpstreamErrors()
  return [
    {
      id: 'code',
      header: t('code'),
      className: 'w-20',
      cell: ({ code }) => (
        <span className={`font-mono text-meta ${isPassing(code) ? 'text-warn' : 'text-danger'}`}>{code ?? '–'}</span>
      ),
    },
    {
      id: 'meaning',
      header: t('meaning'),
      className: 'w-full max-w-0',
      cell: ({ code, channel_name }) => (
        <>
          <span className="line-clamp-2 text-text">
            {explain(code)?.title ?? (code === null ? t('noCode') : t('unknownCode'))}
          </span>
          <span title={channel_name ?? undefined} className="block truncate text-meta text-text-3">
            {channel_name ?? t('deletedChannel')}
          </span>
        </>
      ),
    },
    {
      id: 'shape',
      header: t('shape'),
      from: 'tablet',
      cell: ({ code, series }) => (
        <MiniBars series={joinBuckets(series, BARS)} tone={isPassing(code) ? 'warn' : 'danger'} />
      ),
    },
    {
      id: 'count',
      header: t('count'),
      isNumber: true,
      cell: ({ count }) => <span className="text-text">{formatNumber(count)}</span>,
    },
    { id: 'last', header: t('last'), isNumber: true, cell: ({ last_at }) => <Age at={last_at} /> },
  ]
}

function isPassing(code: string | null): boolean {
  return code !== null && PASSING.includes(code)
}
