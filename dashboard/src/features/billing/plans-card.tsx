import type { SubscriptionView } from '@hubline/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { PAID_PLANS, PLANS } from '../../api/generated/definitions.gen.ts'
import { hub } from '../../api/hub.ts'
import { useRefusal } from '../../api/permissions.ts'
import { usePlanName } from '../../api/plan-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useBillingTexts } from './billing-texts.ts'
import { pricesQuery, usePrice } from './prices.ts'

type PaidPlan = (typeof PAID_PLANS)[number]

/** The plans that the organization does not have, with their prices. The hub's own page previews what a change costs. */
export function PlansCard({ view: { subscription } }: { view: SubscriptionView }) {
  const t = useBillingTexts()
  const refusal = useRefusal('billing:write')
  const planName = usePlanName()
  const open = useMutation({
    mutationFn: (plan: PaidPlan) => hub.billing.openCheckout({ plan }),
    onSuccess: ({ checkout_url }) => location.assign(checkout_url),
  })
  const isFree = subscription.plan === 'free'
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
            </div>
            <Button
              {...(isFree && plan === PAID_PLANS[0] && { kind: 'primary' as const })}
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
        <p className="text-meta text-text-3">{t(isFree ? 'plansText' : 'changeText')}</p>
      </div>
    </Card>
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
