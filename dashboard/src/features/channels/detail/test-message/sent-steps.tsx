import type { AcceptedMessage } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { hub } from '../../../../api/hub.ts'
import { useLiveQueries } from '../../../../live/use-live-queries.ts'
import { ButtonLink } from '../../../../ui/controls/button.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { StatusIcon, useStatusText } from '../../../../ui/data/status.tsx'
import { Time } from '../../../../ui/data/time.tsx'
import { type Stop, Timeline } from '../../../../ui/line/timeline.tsx'
import { useTestTexts } from './test-texts.ts'

const STEPS = ['accepted', 'sent', 'delivered', 'read'] as const

/** Accepted, sent, delivered, read: each lights up when WhatsApp reports it. */
export function SentSteps({ sent }: { sent: AcceptedMessage }) {
  const t = useTestTexts()
  const statusText = useStatusText()
  const queryKey = ['messages', sent.id]
  const { data } = useQuery({ queryKey, queryFn: async () => (await hub.console.showMessage(sent.id)).message })
  useLiveQueries(queryKey, (event) => event.message_id === sent.id)

  const times = new Map([
    ['accepted', sent.created_at],
    ...(data?.timeline ?? []).map(({ status, at }) => [status, at] as const),
  ])
  const failedAt = times.get('failed')
  const steps = STEPS.filter((status) => data?.status !== 'failed' || times.has(status))
  const stops: Stop[] = steps.map((status) => {
    const at = times.get(status)
    return {
      id: status,
      mark: <StatusIcon status={at ? status : 'pending'} />,
      title: statusText(status),
      isQuiet: at === undefined,
      aside: at && <Time at={at} precision="millisecond" />,
    }
  })
  if (data?.status === 'failed') {
    stops.push({
      id: 'failed',
      mark: <StatusIcon status="failed" />,
      title: <span className="text-danger">{statusText('failed')}</span>,
      below: [data.error?.code, data.error?.title, data.error?.details].filter(Boolean).join(' · '),
      aside: failedAt && <Time at={failedAt} precision="millisecond" />,
    })
  }
  return (
    <Card
      title={t('progress')}
      aside={
        <ButtonLink size="bar" icon="message" to="/messages" search={{ channel_id: sent.channel_id, open: sent.id }}>
          {t('openLog')}
        </ButtonLink>
      }
    >
      <div aria-live="polite">
        <Timeline label={t('progress')} stops={stops} />
      </div>
    </Card>
  )
}
