import type { SubscriptionView } from '@hubline/sdk'
import { useMutation } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { useRefusal } from '../../api/permissions.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useBillingTexts } from './billing-texts.ts'

const PAID_PLANS = ['starter', 'pro'] as const

/** The plans that the organization does not have. The hub's own page previews what a change costs. */
export function PlansCard({ view: { subscription } }: { view: SubscriptionView }) {
  const t = useBillingTexts()
  const refusal = useRefusal('billing:write')
  const open = useMutation({
    mutationFn: (plan: (typeof PAID_PLANS)[number]) => hub.billing.openCheckout({ plan }),
    onSuccess: ({ checkout_url }) => location.assign(checkout_url),
  })
  const isFree = subscription.plan === 'free'
  return (
    <Card title={t('plans')}>
      <div className="flex flex-col gap-4">
        {PAID_PLANS.filter((plan) => plan !== subscription.plan).map((plan) => (
          <div key={plan} className="flex flex-wrap items-center justify-between gap-3">
            <p className="min-w-0">
              <strong className="block font-semibold text-text">{t(`plan.${plan}`)}</strong>
              {t(`limits.${plan}`)}
            </p>
            <Button
              {...(isFree && plan === 'starter' && { kind: 'primary' as const })}
              reason={refusal}
              isBusy={open.isPending && open.variables === plan}
              onClick={() => open.mutate(plan)}
            >
              {t(isFree ? 'upgrade' : 'changeTo', { plan: t(`plan.${plan}`) })}
            </Button>
          </div>
        ))}
        {open.error && <FailureNotice error={open.error} />}
        <p className="text-meta text-text-3">{isFree ? t('plansText') : t('invoices')}</p>
      </div>
    </Card>
  )
}
