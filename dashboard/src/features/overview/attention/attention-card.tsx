import type { AttentionItem } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ATTENTION_MAX } from '../../../api/generated/definitions.gen.ts'
import { cx } from '../../../lib/cx.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { attentionQuery } from '../overview-queries.ts'
import { useAttentionTexts } from './attention-texts.ts'
import { describeAttention } from './describe.ts'

const SHOWN_AT_FIRST = 6
const KINDS = ['channel.updated', 'endpoint.updated', 'template.updated']

/** Lists what a person has to do, each with one verb. */
export function AttentionCard() {
  const t = useAttentionTexts()
  const { data, isError, error, refetch } = useQuery(attentionQuery)
  const [isWhole, setWhole] = useState(false)
  useLiveQueries(attentionQuery.queryKey, ({ kind }) => KINDS.includes(kind))
  const items = data ?? []
  const shown = isWhole ? items : items.slice(0, SHOWN_AT_FIRST)
  const left = items.length - shown.length
  return (
    <Card
      isFlush
      title={
        <>
          {t('title')} {data && <Badge>{countItems(items)}</Badge>}
        </>
      }
      aside={items.length > 1 && <span className="text-meta text-text-3">{t('order')}</span>}
      footer={
        left > 0 && (
          <Button kind="quiet" size="bar" onClick={() => setWhole(true)}>
            {t('showAll', { count: left })}
          </Button>
        )
      }
    >
      {data === undefined ? (
        isError ? (
          <ErrorState title={t('failed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton rows={4} rowClass="h-16" />
        )
      ) : items.length === 0 ? (
        <EmptyState title={t('nothing')}>{t('nothingText')}</EmptyState>
      ) : (
        <ul>
          {shown.map((item) => (
            <AttentionRow key={`${item.kind} ${item.target.id} ${String(item.details.quota)}`} item={item} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The hub lists so many of a kind, so that there may be more. */
function countItems(items: readonly AttentionItem[]): string {
  const isCapped = [...Map.groupBy(items, ({ kind }) => kind).values()].some((of) => of.length >= ATTENTION_MAX)
  return formatNumber(items.length) + (isCapped ? '+' : '')
}

const TONES = { danger: 'bg-danger-soft text-danger', warn: 'bg-warn-soft text-warn', neutral: 'bg-sunken text-text-2' }

/** On a phone the row itself is the button. */
function AttentionRow({ item }: { item: AttentionItem }) {
  const { icon, tone, title, below, action, link } = describeAttention(item, useAttentionTexts())
  return (
    <li className="relative flex min-h-16 items-center gap-3 border-b border-line px-4 py-2 last:border-b-0">
      <span className={cx('flex size-7 shrink-0 items-center justify-center rounded-control', TONES[tone])}>
        <Icon name={icon} size={14} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium text-text max-tablet:line-clamp-2">{title}</p>
        <p className="truncate text-meta text-text-3">{below}</p>
      </div>
      {item.since !== null && (
        <span className="shrink-0 text-meta text-text-3">
          <Time at={item.since} />
        </span>
      )}
      <Link
        {...link}
        aria-label={`${action}: ${title}`}
        className="inline-flex h-7 shrink-0 items-center rounded-control border border-line-2 bg-surface px-2 font-medium text-text shadow-1 hover:bg-hover max-tablet:border-0 max-tablet:bg-transparent max-tablet:px-0 max-tablet:shadow-none max-tablet:after:absolute max-tablet:after:inset-0"
      >
        <span className="max-tablet:hidden">{action}</span>
        <Icon name="chevron-right" size={14} className="hidden text-text-3 max-tablet:block" />
      </Link>
    </li>
  )
}
