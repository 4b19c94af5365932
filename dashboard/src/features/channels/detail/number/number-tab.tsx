import type { Channel } from '@hubline/sdk/console'
import { useApiExample } from '../../../../lib/api-example.ts'
import { Card } from '../../../../ui/data/card.tsx'
import { EmptyState } from '../../../../ui/states/list-states.tsx'
import { BlockedCard } from './blocked-card.tsx'
import { useNumberTexts } from './number-texts.ts'
import { QrCodesCard } from './qr-codes-card.tsx'
import { UsernameCard } from './username-card.tsx'

/** Shows what the upstream keeps of the number itself. Each card reads it from there. */
export function NumberTab({ channel }: { channel: Channel }) {
  const t = useNumberTexts()
  useApiExample({
    method: 'GET',
    path: `/api/v1/channels/${channel.id}/qr-codes`,
    sdk: `for await (const qrCode of hub.numbers.listQrCodes('${channel.id}')) console.log(qrCode)`,
  })
  if (channel.phone_number_id === null || channel.status === 'disconnected') {
    return (
      <Card>
        <EmptyState title={t('notConnected')}>
          <p>{t('notConnectedText')}</p>
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] items-start gap-4 max-desktop:grid-cols-1">
      <QrCodesCard channelId={channel.id} />
      <div className="flex flex-col gap-4">
        <UsernameCard channelId={channel.id} />
        <BlockedCard channelId={channel.id} />
      </div>
    </div>
  )
}
