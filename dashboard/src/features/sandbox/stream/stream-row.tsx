import type { MessageEntry } from '@hubline/sdk/console'
import { useEffect, useRef } from 'react'
import { cx } from '../../../lib/cx.ts'
import { formatClock, formatDuration, formatPhone, formatUtc } from '../../../lib/format.ts'
import { isUserId } from '../../../lib/user-id.ts'
import { isStatusName, Status, useStatusText } from '../../../ui/data/status.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { useSandboxTexts } from '../sandbox-texts.ts'
import { getOwnTime } from './own-times.ts'
import { RowDetail } from './row-detail.tsx'
import type { StreamRow } from './rows.ts'

const KINDS: Record<StreamRow['kind'], { icon: IconName; color: string }> = {
  phone: { icon: 'phone', color: 'text-info' },
  callback: { icon: 'arrow-in', color: 'text-text-2' },
  api: { icon: 'terminal', color: 'text-text-2' },
  upstream: { icon: 'arrow-out', color: 'text-text-2' },
  delivery: { icon: 'webhook', color: 'text-accent' },
}

type StreamRowProps = { row: StreamRow; isOpen: boolean; isOfMessage: boolean; onToggle: () => void }

export function StreamRowItem({ row, isOpen, isOfMessage, onToggle }: StreamRowProps) {
  const t = useSandboxTexts()
  const { icon, color } = KINDS[row.kind]
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) void item.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li
      ref={item}
      data-row={row.key}
      aria-current={isOpen || undefined}
      className={cx(
        'border-b border-line',
        isOpen && 'bg-selected',
        (isOpen || isOfMessage) && 'shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      <button
        type="button"
        data-row-link
        aria-expanded={isOpen}
        onClick={onToggle}
        className={cx(
          'grid min-h-9 w-full grid-cols-[92px_88px_204px_minmax(0,1fr)_148px] items-center gap-3 px-6 text-left focus-visible:-outline-offset-2 @max-[760px]:grid-cols-[92px_88px_minmax(0,1fr)_auto] max-tablet:min-h-15 max-tablet:grid-cols-[80px_minmax(0,1fr)_auto] max-tablet:gap-x-2 max-tablet:gap-y-0 max-tablet:px-4 max-tablet:py-2',
          !isOpen && 'hover:bg-hover',
        )}
      >
        <time
          dateTime={new Date(row.at).toISOString()}
          title={row.isWholeSecond ? t('wholeSecond') : formatUtc(new Date(row.at))}
          className="font-mono text-meta text-text-3"
        >
          {formatClock(new Date(row.at), row.isWholeSecond ? 'second' : 'millisecond')}
        </time>
        <span className={cx('flex items-center gap-2 font-medium', color)}>
          <Icon name={icon} size={14} />
          {t(`kind.${row.kind}`)}
        </span>
        <code className="truncate font-mono text-meta text-text max-tablet:order-last max-tablet:col-span-2 max-tablet:col-start-2">
          <RowName row={row} />
        </code>
        <span className="truncate text-text-2 @max-[760px]:hidden">
          <RowText row={row} />
        </span>
        <span className="flex items-center justify-end gap-2 whitespace-nowrap text-text-2">
          <RowResult row={row} />
        </span>
      </button>
      {isOpen && <RowDetail row={row} />}
    </li>
  )
}

function RowName({ row }: { row: StreamRow }) {
  const t = useSandboxTexts()
  if (row.kind === 'phone') return t('customerSends')
  if (row.kind === 'callback') return row.field
  if (row.kind === 'api') return nameRoute(row.message)
  if (row.kind === 'upstream') return 'POST /{phone_number_id}/messages'
  return row.delivery.event
}

function RowText({ row }: { row: StreamRow }) {
  const t = useSandboxTexts()
  const s = useStatusText()
  if (row.kind === 'phone') return row.message.text ?? row.message.type
  if (row.kind === 'upstream') return <span className="font-mono text-meta">{row.wamid}</span>
  if (row.kind === 'delivery') return row.delivery.endpoint.name
  if (row.kind === 'api') return t('typeTo', { type: row.message.type, to: readRecipient(row.message) })
  const what = row.field === 'messages' ? row.message.type : s(row.status)
  return `${what} · ${t('signed')}`
}

function nameRoute({ to, contact }: MessageEntry): string {
  const isByUserId = to === null && isUserId(contact?.user_id ?? '')
  return isByUserId ? 'POST …/{user_id}/messages' : 'POST /channels/{id}/messages'
}

/** The number that a message went to, or the user id of a person who hides it. */
function readRecipient({ to, contact }: MessageEntry): string {
  return to === null ? (contact?.user_id ?? '–') : formatPhone(to)
}

function RowResult({ row }: { row: StreamRow }) {
  if (row.kind === 'delivery') {
    const { status, last_http_status, last_error_code } = row.delivery
    return (
      <>
        {last_http_status ??
          (last_error_code !== null && <code className="font-mono text-meta">{last_error_code}</code>)}
        <Status status={status} />
      </>
    )
  }
  if (row.kind === 'api') {
    const ms = getOwnTime(row.message.id)
    const { status } = row.message
    return (
      <>
        {ms !== undefined && `202 · ${formatDuration(ms)}`}
        {isStatusName(status) && <Status status={status} />}
      </>
    )
  }
  if (row.kind === 'callback' && row.field === 'statuses') {
    const code = row.status === 'failed' ? row.message.error?.code : undefined
    return (
      <>
        {code && <code className="font-mono text-meta text-danger">{code}</code>}
        <Status status={row.status} />
      </>
    )
  }
  if (row.kind === 'phone') {
    const ms = getOwnTime(row.message.id)
    return ms === undefined ? null : formatDuration(ms)
  }
  return null
}
