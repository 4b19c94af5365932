import type { Channel, MessageEntry } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { hub } from '../../../../api/hub.ts'
import { formatDuration, formatMoment } from '../../../../lib/format.ts'
import { useLiveQueries } from '../../../../live/use-live-queries.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { useNow } from '../../../../ui/data/time.tsx'
import { Notice } from '../../../../ui/states/notice.tsx'
import { useTestTexts } from './test-texts.ts'

const WINDOW_MS = 86_400_000
const RECENT = 100

/** The latest messages that people wrote to the channel: enough to know whether one of them is within the window. */
function useInbound(channel: Channel): readonly MessageEntry[] | undefined {
  const queryKey = ['messages', 'inbound', channel.id]
  useLiveQueries(queryKey, ({ kind, channel_id }) => kind === 'message.created' && channel_id === channel.id)
  return useQuery({
    queryKey,
    async queryFn() {
      for await (const { items } of hub.messages.list(channel.id, { direction: 'inbound', limit: RECENT }).pages()) {
        return items
      }
      return []
    },
    enabled: channel.phone_number_id !== null,
  }).data
}

type WindowNoticeProps = { channel: Channel; to: string | undefined; onUseTemplate: () => void }

/** Whether a free text will be delivered to this person. It advises; WhatsApp decides. */
export function WindowNotice({ channel, to, onUseTemplate }: WindowNoticeProps) {
  const t = useTestTexts()
  const now = useNow(30_000)
  const inbound = useInbound(channel)
  const last = to === undefined ? undefined : inbound?.find(({ from }) => from?.replace(/\D/g, '') === to)
  if (to === undefined || inbound === undefined) return <p className="text-meta text-text-3">{t('windowRule')}</p>
  const age = last === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now - Date.parse(last.created_at))
  if (last !== undefined && age < WINDOW_MS) {
    const until = formatMoment(new Date(Date.parse(last.created_at) + WINDOW_MS))
    return <p className="text-meta text-text-3">{t('windowOpen', { time: formatDuration(age), until })}</p>
  }
  return (
    <div className="w-full">
      <Notice
        tone="warn"
        icon="clock"
        title={t('windowClosed')}
        action={
          <Button size="bar" onClick={onUseTemplate}>
            {t('useTemplate')}
          </Button>
        }
      >
        {t('windowClosedText')}
      </Notice>
    </div>
  )
}
