import type { AcceptedMessage, MessageEntry } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { hub } from '../../../../api/hub.ts'
import { useLiveQueries } from '../../../../live/use-live-queries.ts'
import { Card } from '../../../../ui/data/card.tsx'
import { StatusIcon, type StatusName, useStatusText } from '../../../../ui/data/status.tsx'
import { Time } from '../../../../ui/data/time.tsx'
import { type Stop, Timeline } from '../../../../ui/line/timeline.tsx'
import { useTestTexts } from './test-texts.ts'

const RECENT = 50

/** The entry of the message in the log of its channel, where it is among the latest. */
function useEntry(channelId: string, messageId: string): MessageEntry | undefined {
  const queryKey = ['messages', 'sent', channelId, messageId]
  const { data } = useQuery({
    queryKey,
    async queryFn() {
      for await (const { items } of hub.messages.list(channelId, { direction: 'outbound', limit: RECENT }).pages()) {
        return items.find(({ id }) => id === messageId) ?? null
      }
      return null
    },
  })
  useLiveQueries(queryKey, (event) => event.message_id === messageId)
  return data ?? undefined
}

/** Accepted, sent, delivered, read: each lights up when WhatsApp reports it. */
export function SentSteps({ channelId, sent }: { channelId: string; sent: AcceptedMessage }) {
  const t = useTestTexts()
  const statusText = useStatusText()
  const entry = useEntry(channelId, sent.id)
  const times: [StatusName, string | null | undefined][] = [
    ['accepted', sent.created_at],
    ['sent', entry?.sent_at],
    ['delivered', entry?.delivered_at],
    ['read', entry?.read_at],
  ]
  const hasFailed = entry?.status === 'failed'
  const stops: Stop[] = times
    .filter(([, at]) => !hasFailed || at)
    .map(([status, at]) => ({
      id: status,
      mark: <StatusIcon status={at ? status : 'pending'} />,
      title: statusText(status),
      isQuiet: !at,
      aside: at ? <Time at={at} precision="millisecond" /> : undefined,
    }))
  if (hasFailed) {
    stops.push({
      id: 'failed',
      mark: <StatusIcon status="failed" />,
      title: <span className="text-danger">{statusText('failed')}</span>,
      below: [entry?.error?.code, entry?.error?.title, entry?.error?.details].filter(Boolean).join(' · '),
      aside: entry?.failed_at ? <Time at={entry.failed_at} precision="millisecond" /> : undefined,
    })
  }
  return (
    <Card title={t('progress')}>
      <div aria-live="polite">
        <Timeline label={t('progress')} stops={stops} />
      </div>
    </Card>
  )
}
