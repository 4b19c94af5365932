import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { revealedQuery } from '../../../api/webhooks.ts'
import { formatDuration } from '../../../lib/format.ts'
import { ButtonLink } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { Facts } from '../../../ui/data/card.tsx'
import { JsonBlock } from '../../../ui/data/code.tsx'
import { FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { deliveryQuery } from '../queries.ts'
import { useSandboxTexts } from '../sandbox-texts.ts'
import type { Journey, StreamRow } from './rows.ts'

/** Shows the data of an open row as the hub gives it. */
export function RowDetail({ row }: { row: StreamRow }) {
  const t = useSandboxTexts()
  if (row.kind === 'delivery') return <DeliveryDetail row={row} />
  const label = row.kind === 'phone' || row.kind === 'upstream' ? t('asPhoneHas') : t('asLogHas')
  return (
    <Detail label={label} value={row.message}>
      <Facts
        facts={[
          ...(row.kind === 'phone' || row.kind === 'upstream'
            ? []
            : ([[t('messageId'), <Id key="id" id={row.message.id} isShort />]] as const)),
          [t('wamid'), row.wamid === null ? '–' : <Id key="wamid" id={row.wamid} isShort />],
        ]}
      />
      {row.kind !== 'phone' && row.kind !== 'upstream' && (
        <ButtonLink to="/messages" search={{ open: row.message.id }} size="bar" className="self-start">
          {t('openMessage')}
        </ButtonLink>
      )}
    </Detail>
  )
}

function Detail({ label, value, children }: { label: string; value: unknown; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_260px] gap-4 px-6 pb-4 max-desktop:grid-cols-1 max-tablet:px-4">
      <JsonBlock label={label} value={value} />
      <div className="flex flex-col gap-3">
        <p className="text-meta text-text-3">{label}</p>
        {children}
      </div>
    </div>
  )
}

function DeliveryDetail({ row }: { row: Extract<StreamRow, { kind: 'delivery' }> }) {
  const t = useSandboxTexts()
  const { endpoint, id, attempts, created_at } = row.delivery
  const detail = useQuery(deliveryQuery(row.delivery))
  // A person opened the row to see it.
  const revealed = useQuery({ ...revealedQuery(endpoint.id, id), enabled: true })
  const error = detail.error ?? revealed.error
  if (error) return <FailureNotice error={error} />
  if (!detail.data || revealed.data === undefined) return <Skeleton rows={3} />
  const last = detail.data.attempts.at(-1)
  const body = revealed.data.body_base64
  return (
    <Detail label={t('payload')} value={body === null ? row.delivery : readBody(body)}>
      {row.journey && <JourneyBar journey={row.journey} />}
      <Facts
        facts={[
          [t('deliveryId'), <Id key="id" id={id} isShort />],
          [t('endpoint'), endpoint.name],
          [t('attempts'), attempts],
          ...(last?.timings
            ? ([
                [t('took'), formatDuration(last.timings.total_ms)],
                [t('sinceEvent'), formatDuration(Math.max(0, Date.parse(last.ended_at) - Date.parse(created_at)))],
              ] as const)
            : []),
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/webhooks/$webhookId" params={{ webhookId: endpoint.id }} search={{ open: id }} size="bar">
          {t('openDelivery')}
        </ButtonLink>
        <ButtonLink to="/webhooks/signature" size="bar" icon="shield">
          {t('verify')}
        </ButtonLink>
      </div>
    </Detail>
  )
}

/** JSON in lines of its own; anything else as it is. */
function readBody(base64: string): unknown {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** From the thumb of the customer to the answer of the endpoint. */
function JourneyBar({ journey: { toHub, toCode } }: { journey: Journey }) {
  const t = useSandboxTexts()
  return (
    <div>
      <p className="text-meta text-text-3">{t('journey')}</p>
      <p className="text-tile font-semibold text-text">{formatDuration(toHub + toCode)}</p>
      <div aria-hidden="true" className="mt-1 flex h-1.5 gap-px">
        <span className="min-w-1 rounded-badge bg-info" style={{ flexGrow: toHub }} />
        <span className="min-w-1 rounded-badge bg-accent" style={{ flexGrow: toCode }} />
      </div>
      <p className="mt-1 text-meta text-text-2">
        {t('journeyParts', { toHub: formatDuration(toHub), toCode: formatDuration(toCode) })}
      </p>
    </div>
  )
}
