import type { SubscriptionView } from '@hubline/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { PAID_PLANS, PLANS } from '../../api/generated/definitions.gen.ts'
import { hub } from '../../api/hub.ts'
import { useRefusal } from '../../api/permissions.ts'
import { usePlanName } from '../../api/plan-names.ts'
import { isUnpaid } from '../../api/subscription.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useBillingTexts } from './billing-texts.ts'
import { useBillingDay } from './days.ts'
import { PayFirst } from './pay-first.tsx'
import { pricesQuery, usePrice } from './prices.ts'

type Plan = keyof typeof PLANS
type PaidPlan = (typeof PAID_PLANS)[number]

/** The plans that the organization does not have, with their prices. The hub's own page previews what a change costs. */
export function PlansCard({ view }: { view: SubscriptionView }) {
  const { subscription } = view
  const t = useBillingTexts()
  const refusal = useRefusal('billing:write')
  const planName = usePlanName()
  const open = useMutation({
    mutationFn: (plan: PaidPlan) => hub.billing.openCheckout({ plan }),
    onSuccess: ({ checkout_url }) => location.assign(checkout_url),
  })
  const isFree = subscription.plan === 'free'
  const isBlocked = isUnpaid(subscription.status)
  return (
    <Card title={t('plans')}>
      <div className="flex flex-col gap-4">
        {PAID_PLANS.filter((plan) => plan !== subscription.plan).map((plan) => (
          <div key={plan} className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <strong className="font-semibold text-text">{planName(plan)}</strong>
                <PlanPrice plan={plan} />
              </p>
              <p>{t('limits', PLANS[plan])}</p>
              {!isBlocked && <Excess plan={plan} view={view} />}
            </div>
            <Button
              {...(isFree && plan === PAID_PLANS[0] && { kind: 'primary' as const })}
              disabled={isBlocked || (!isFree && hasExcess(plan, view))}
              reason={refusal}
              isBusy={open.isPending && open.variables === plan}
              onClick={() => open.mutate(plan)}
            >
              {t(isFree ? 'upgrade' : 'changeTo', { plan: planName(plan) })}
            </Button>
          </div>
        ))}
        <PricesFailure />
        {open.error && <FailureNotice error={open.error} />}
        {isBlocked ? <PayFirst /> : <p className="text-meta text-text-3">{t(isFree ? 'plansText' : 'changeText')}</p>}
        {!isFree && <WhenCanceled view={view} />}
      </div>
    </Card>
  )
}

/** Counts what is in use and has no room in a plan, with the additional connections that it would keep. */
function countExcess(plan: Plan, { subscription, quotas }: SubscriptionView) {
  const { channels, webhook_endpoints, addonsMax } = PLANS[plan]
  const kept = plan === 'free' ? 0 : subscription.addons
  return {
    channels: Math.max(0, quotas.channels.used - channels - kept),
    endpoints: Math.max(0, quotas.webhook_endpoints.used - webhook_endpoints),
    addons: Math.max(0, kept - addonsMax),
  }
}

function hasExcess(plan: PaidPlan, view: SubscriptionView): boolean {
  return Object.values(countExcess(plan, view)).some((count) => count > 0)
}

/** A subscriber has to remove what is above the limits first; who buys a first plan keeps it. */
function Excess({ plan, view }: { plan: PaidPlan; view: SubscriptionView }) {
  const t = useBillingTexts()
  const { channels, endpoints, addons } = countExcess(plan, view)
  const isFree = view.subscription.plan === 'free'
  const lines = [
    channels > 0 && t(isFree ? 'stayChannels' : 'removeChannels', { count: channels }),
    endpoints > 0 && t(isFree ? 'stayEndpoints' : 'removeEndpoints', { count: endpoints }),
    addons > 0 && t('removeAddons', { count: addons }),
  ]
  return lines.filter(Boolean).map((line) => (
    <p key={String(line)} className="text-warn">
      {line}
    </p>
  ))
}

/** Says what becomes of the channels if the subscription ends, before a person cancels it. */
function WhenCanceled({ view }: { view: SubscriptionView }) {
  const t = useBillingTexts()
  const toDay = useBillingDay()
  const { cancels_at } = view.subscription
  const { channels } = countExcess('free', view)
  const { channels: room, webhook_endpoints: endpoints } = PLANS.free
  const begin =
    cancels_at === null
      ? t('ifCanceled', { room, endpoints })
      : t('onceEnded', { date: toDay(cancels_at), room, endpoints })
  return (
    <p className={cancels_at === null ? 'text-meta text-text-3' : 'text-warn'}>
      {begin} {channels > 0 && t('aboveFree', { count: channels })}
    </p>
  )
}

function PlanPrice({ plan }: { plan: PaidPlan }) {
  const t = useBillingTexts()
  const { isPending, isError } = useQuery(pricesQuery)
  const price = usePrice()(plan)
  if (isPending) return <span data-loading className="appear-late h-2 w-24 self-center rounded-full bg-line" />
  if (isError) return null
  return <span className={price === undefined ? 'text-meta text-text-3' : 'text-text'}>{price ?? t('noPrice')}</span>
}

/** A checkout needs no price from this page: the provider shows it again before it is paid. */
function PricesFailure() {
  const t = useBillingTexts()
  const u = useUiTexts()
  const { isError, isFetching, refetch } = useQuery(pricesQuery)
  if (!isError) return null
  return (
    <div className="flex flex-col items-start gap-2">
      <Notice tone="warn" title={t('pricesFailed')}>
        {t('pricesFailedText')}
      </Notice>
      <Button size="bar" icon="refresh" isBusy={isFetching} onClick={() => void refetch()}>
        {u('tryAgain')}
      </Button>
    </div>
  )
}
