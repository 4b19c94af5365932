import type { Channel } from '@hubline/sdk/console'
import { formatPhone } from '../../../../lib/format.ts'
import { ButtonLink } from '../../../../ui/controls/button.tsx'
import { Id } from '../../../../ui/controls/copy.tsx'
import { Card, Facts } from '../../../../ui/data/card.tsx'
import { Quality } from '../../../../ui/data/quality.tsx'
import { Status, StatusIcon } from '../../../../ui/data/status.tsx'
import { Time } from '../../../../ui/data/time.tsx'
import { Notice } from '../../../../ui/states/notice.tsx'
import { Mode } from '../../mode.tsx'
import { useDetailTexts } from '../detail-texts.ts'
import { ClientCard } from './client-card.tsx'
import { NamingCard } from './naming-card.tsx'

export function SummaryTab({ channel }: { channel: Channel }) {
  const t = useDetailTexts()
  return (
    <div className="flex flex-col gap-4">
      {channel.phone_number_id === null && (
        <Notice
          tone="info"
          title={t('notConnected')}
          action={
            <ButtonLink
              kind="primary"
              size="bar"
              to="/channels/$channelId"
              params={{ channelId: channel.id }}
              search={{ tab: 'connect' }}
            >
              {t('connectNow')}
            </ButtonLink>
          }
        >
          {t('notConnectedText')}
        </Notice>
      )}
      <div className="grid grid-cols-2 items-start gap-4 max-desktop:grid-cols-1">
        <FactsCard channel={channel} />
        <NamingCard channel={channel} />
      </div>
      <ClientCard channel={channel} />
    </div>
  )
}

function FactsCard({ channel }: { channel: Channel }) {
  const t = useDetailTexts()
  const { display_phone_number, verified_name, username, coexistence, phone_number_id, waba_id } = channel
  const isConnected = phone_number_id !== null
  return (
    <Card title={t('facts')}>
      <Facts
        facts={[
          [t('status'), <Status key="status" status={channel.status} />],
          [t('number'), display_phone_number === null ? '–' : formatPhone(display_phone_number)],
          [t('verifiedName'), verified_name ?? '–'],
          [t('username'), username ?? '–'],
          [t('quality'), <Quality key="quality" rating={channel.quality_rating} />],
          [
            t('mode'),
            <span key="mode" className="flex flex-col items-start gap-1">
              <Mode channel={channel} />
              {isConnected && (
                <span className="text-meta text-text-3">{coexistence ? t('modeCoexistence') : t('modeApi')}</span>
              )}
            </span>,
          ],
          [t('events'), <Subscribed key="events" isSubscribed={channel.subscribed_ok} />],
          ['waba_id', waba_id === null ? '–' : <Id key="waba" id={waba_id} />],
          ['phone_number_id', phone_number_id === null ? '–' : <Id key="number" id={phone_number_id} />],
          ['id', <Id key="id" id={channel.id} />],
          [t('created'), <Time key="created" at={channel.created_at} />],
          [t('updated'), <Time key="updated" at={channel.updated_at} />],
        ]}
      />
    </Card>
  )
}

function Subscribed({ isSubscribed }: { isSubscribed: boolean | undefined }) {
  const t = useDetailTexts()
  if (isSubscribed === undefined) return '–'
  return (
    <span className="inline-flex items-center gap-1.5">
      <StatusIcon status={isSubscribed ? 'ok' : 'failing'} />
      {isSubscribed ? t('eventsOk') : t('eventsLost')}
    </span>
  )
}
