import type { Channel } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { hub } from '../../../../api/hub.ts'
import { formatAge, formatMoment } from '../../../../lib/format.ts'
import { useLiveQueries } from '../../../../live/use-live-queries.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { useNow } from '../../../../ui/data/time.tsx'
import { Notice } from '../../../../ui/states/notice.tsx'
import { useTestTexts } from './test-texts.ts'

const WINDOW_MS = 86_400_000

/** When the person wrote to the channel last; null if never, undefined while it is not known. */
function useLastInbound(channel: Channel, person: string | undefined): string | null | undefined {
  const queryKey = ['messages', 'last-inbound', channel.id, person]
  useLiveQueries(queryKey, ({ kind, channel_id }) => kind === 'message.created' && channel_id === channel.id)
  return useQuery({
    queryKey,
    async queryFn() {
      const query = { channel_id: channel.id, direction: 'inbound', person, limit: 1 } as const
      for await (const message of hub.console.searchMessages(query)) return message.created_at
      return null
    },
    enabled: channel.phone_number_id !== null && person !== undefined,
  }).data
}

type WindowNoticeProps = { channel: Channel; to: string | undefined; onUseTemplate: () => void }

/** Shows if a free text will be delivered to this person. It advises; WhatsApp decides. */
export function WindowNotice({ channel, to, onUseTemplate }: WindowNoticeProps) {
  const t = useTestTexts()
  const now = useNow(30_000)
  const last = useLastInbound(channel, to)
  if (last === undefined) return <p className="text-meta text-text-3">{t('windowRule')}</p>
  const age = last === null ? Number.POSITIVE_INFINITY : now - Date.parse(last)
  if (last !== null && age < WINDOW_MS) {
    const until = formatMoment(new Date(Date.parse(last) + WINDOW_MS))
    return <p className="text-meta text-text-3">{t('windowOpen', { time: formatAge(age), until })}</p>
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
