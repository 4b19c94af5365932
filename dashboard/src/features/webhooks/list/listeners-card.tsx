import type { ListenerView } from '@hubline/sdk/console'
import { useListeners, useListenerTexts } from '../../../api/listeners.ts'
import { Badge } from '../../../ui/data/badge.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { EventKinds } from './endpoint-columns.tsx'

/** The terminals that receive events beside the endpoints. Without one there is nothing to show. */
export function ListenersCard() {
  const t = useListenerTexts()
  const listeners = useListeners()
  if (listeners.length === 0) return null
  return (
    <Card title={t('title')} aside={<span className="text-meta text-text-3">{t('text')}</span>} isFlush>
      <ul aria-label={t('title')}>
        {listeners.map((listener) => (
          <ListenerRow key={listener.id} listener={listener} />
        ))}
      </ul>
    </Card>
  )
}

function ListenerRow({ listener }: { listener: ListenerView }) {
  const t = useListenerTexts()
  const { all_channels, channel_ids, payload_mode, unacknowledged, created_at } = listener
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-3 last:border-b-0">
      <span className="flex items-center gap-2 font-medium text-text">
        <Icon name="terminal" size={16} />
        <code className="font-mono">hubline listen</code>
      </span>
      <EventKinds webhook={listener} />
      <span>{all_channels ? t('allChannels') : t('channels', { count: channel_ids.length })}</span>
      <span className="font-mono text-meta">{payload_mode}</span>
      {unacknowledged > 0 && <Badge tone="warn">{t('unacknowledged', { count: unacknowledged })}</Badge>}
      <span className="ml-auto text-meta text-text-3">
        {t('since')} <Time at={created_at} />
      </span>
    </li>
  )
}
