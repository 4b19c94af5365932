import { useQuery } from '@tanstack/react-query'
import { channelsQuery, concernsChannels } from '../../../api/channels.ts'
import { CHANNEL_STATUSES } from '../../../api/generated/definitions.gen.ts'
import { subscriptionQuery } from '../../../api/subscription.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { Status } from '../../../ui/data/status.tsx'
import { useOverviewTexts } from '../overview-texts.ts'
import { HealthFigure, HealthStrip } from './health-strip.tsx'

/** Shows the number of channels in each status, and how many there may be. */
export function ChannelHealth() {
  const t = useOverviewTexts()
  const { data: channels = [], isSuccess } = useQuery(channelsQuery)
  const { data: plan } = useQuery(subscriptionQuery)
  useLiveQueries(channelsQuery.queryKey, concernsChannels)
  const limit = plan?.quotas.channels.limit
  const counts = CHANNEL_STATUSES.map((status) => ({
    status,
    count: channels.filter((channel) => channel.status === status).length,
  }))
  // Not loaded is not none.
  const used = isSuccess ? formatNumber(channels.length) : '–'
  return (
    <HealthStrip icon="phone" link={{ to: '/channels' }} linkText={t('channels')}>
      <HealthFigure
        value={limit == null || !isSuccess ? used : t('ofLimit', { used, limit: formatNumber(limit) })}
        label={t('channelsUsed')}
      />
      {isSuccess && channels.length === 0 && <span className="text-text-3">{t('noChannels')}</span>}
      {counts
        .filter(({ count }) => count > 0)
        .map(({ status, count }) => (
          <Status key={status} status={status}>
            {t(`are.${status}`, { count })}
          </Status>
        ))}
    </HealthStrip>
  )
}
