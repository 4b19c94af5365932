import type { SubscriptionView } from '@hubline/sdk/console'
import { usePlanName } from '../../../api/plan-names.ts'
import { formatNumber } from '../../../lib/format.ts'
import { QuotaSlots } from '../../../ui/data/quota-slots.tsx'
import { useChannelsTexts } from '../channels-texts.ts'

function countIncluded({ subscription, quotas }: SubscriptionView): number | undefined {
  const { limit } = quotas.channels
  return limit === null ? undefined : Math.max(0, limit - subscription.addons)
}

/** The channels of the plan, to be counted at a glance. */
export function Quota({ view }: { view: SubscriptionView }) {
  const t = useChannelsTexts()
  const { limit, used } = view.quotas.channels
  if (limit === null) return null
  const included = countIncluded(view)
  const figures = { used: formatNumber(used), limit: formatNumber(limit) }
  return (
    <span className="inline-flex items-center gap-3" title={t('quotaAria', { used, count: limit })}>
      <QuotaSlots used={used} limit={limit} {...(included !== undefined && { included })} />
      <span className="text-text">{t('quota', figures)}</span>
    </span>
  )
}

/** Explains the colors of the slots. */
export function QuotaLegend({ view }: { view: SubscriptionView }) {
  const t = useChannelsTexts()
  const planName = usePlanName()
  const included = countIncluded(view)
  if (included === undefined) return null
  const { plan, addons } = view.subscription
  return (
    <>
      <span className="inline-flex items-center gap-2">
        <span aria-hidden="true" className="h-2 w-3 rounded-[2px] bg-accent" />
        {t('legendPlan', { count: included, plan: planName(plan) })}
      </span>
      {addons > 0 && (
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="h-2 w-3 rounded-[2px] bg-chart-2" />
          {t('legendAddons', { count: addons })}
        </span>
      )}
    </>
  )
}
