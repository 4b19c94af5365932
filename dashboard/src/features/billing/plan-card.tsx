import type { SubscriptionView } from '@hubline/sdk'
import type { ReactNode } from 'react'
import { usePlanName } from '../../api/plan-names.ts'
import { cx } from '../../lib/cx.ts'
import { formatNumber } from '../../lib/format.ts'
import { Card } from '../../ui/data/card.tsx'
import { StatusBadge } from '../../ui/data/status.tsx'
import { useBillingTexts } from './billing-texts.ts'
import { useBillingDay } from './days.ts'

/** Above this share a meter warns. */
const NEARLY_FULL = 0.8

export function PlanCard({ view: { subscription, quotas, usage } }: { view: SubscriptionView }) {
  const t = useBillingTexts()
  const planName = usePlanName()
  const toDay = useBillingDay()
  const { plan, status, addons, current_period_end, cancels_at } = subscription
  const channels = quotas.channels.limit
  return (
    <Card
      title={
        <>
          {channels === null ? t('usage') : t('plan', { plan: planName(plan) })}
          {status !== 'none' && (
            <StatusBadge status={status}>{status === 'active' ? t('status.active') : undefined}</StatusBadge>
          )}
        </>
      }
      aside={
        <span>
          {cancels_at !== null
            ? t('cancels', { date: toDay(cancels_at) })
            : current_period_end !== null && t('renews', { date: toDay(current_period_end) })}
        </span>
      }
    >
      <div className="grid grid-cols-3 gap-6 max-tablet:grid-cols-1">
        <Meter name={t('channels')} {...quotas.channels}>
          {channels === null
            ? t('unlimited')
            : addons > 0
              ? t('channelsOf', { plan: channels - addons, count: addons })
              : t('limit')}
        </Meter>
        <Meter name={t('endpoints')} {...quotas.webhook_endpoints}>
          {t(channels === null ? 'unlimited' : 'limit')}
        </Meter>
        <Meter name={t('sent')} used={usage.messages_sent} limit={null}>
          {t('noLimit', { count: usage.messages_received })}
        </Meter>
      </div>
    </Card>
  )
}

/** Shows the usage out of the limit; without a limit a dashed line. */
function Meter({
  name,
  used,
  limit,
  children,
}: {
  name: string
  used: number
  limit: number | null
  children: ReactNode
}) {
  const t = useBillingTexts()
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-baseline justify-between gap-2">
        <span className="font-medium text-text">{name}</span>
        <span>
          <strong className="font-semibold text-text">{formatNumber(used)}</strong>{' '}
          {limit !== null && t('of', { limit: formatNumber(limit) })}
        </span>
      </p>
      {limit === null ? (
        <span className="my-[3px] border-t border-dashed border-line-2" />
      ) : (
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" className="h-1.5 w-full">
          <rect width="100" height="6" className="fill-line" />
          <rect width={share * 100} height="6" className={cx(share > NEARLY_FULL ? 'fill-warn-mark' : 'fill-accent')} />
        </svg>
      )}
      <p className="text-meta text-text-3">{children}</p>
    </div>
  )
}
