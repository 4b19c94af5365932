import type { SubscriptionView } from '@hubline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRefusal } from '../../api/permissions.ts'
import { concernsSubscription, invoicesKey, isUnpaid, subscriptionQuery, usePortal } from '../../api/subscription.ts'
import { useApiExample } from '../../lib/api-example.ts'
import { cx } from '../../lib/cx.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { Button, ButtonLink } from '../../ui/controls/button.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { ErrorState, FailureNotice, Skeleton } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { AddonsCard } from './addons-card.tsx'
import { useBillingTexts } from './billing-texts.ts'
import { usePeriod } from './days.ts'
import { InvoicesCard } from './invoices-card.tsx'
import { MessagesByDay } from './messages-by-day.tsx'
import { ConsequencesCard, OpenInvoiceCard } from './overdue-cards.tsx'
import { PlanCard } from './plan-card.tsx'
import { PlansCard } from './plans-card.tsx'

export function BillingPage() {
  const t = useBillingTexts()
  const client = useQueryClient()
  const subscription = useQuery(subscriptionQuery)
  // A payment or cancellation at the payment provider arrives a moment after the person has come back.
  useLiveQueries(subscriptionQuery.queryKey, concernsSubscription)
  useLiveQueries(invoicesKey, concernsSubscription)
  useApiExample({
    method: 'GET',
    path: '/api/v1/subscription',
    sdk: 'console.log(await hub.billing.getSubscription())',
  })
  if (subscription.isPending) {
    return (
      <Page>
        <PageHeader title={t('title')} />
        <Skeleton />
      </Page>
    )
  }
  if (subscription.isError) {
    return (
      <Page>
        <PageHeader title={t('title')} />
        <ErrorState title={t('failed')} error={subscription.error} onRetry={() => void subscription.refetch()} />
      </Page>
    )
  }
  function reload(): void {
    void subscription.refetch()
    void client.invalidateQueries({ queryKey: invoicesKey })
  }
  return <Billing view={subscription.data} onChanged={reload} />
}

function Billing({ view, onChanged }: { view: SubscriptionView; onChanged: () => void }) {
  const t = useBillingTexts()
  const { quotas, subscription } = view
  // Without billing nothing is limited, and only then.
  const isOff = quotas.channels.limit === null
  const period = t('period', usePeriod(view))
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <>
            <ButtonLink icon="chart" to="/usage/costs">
              {t('costs')}
            </ButtonLink>
            {!isOff && <PortalButton hasPlan={subscription.plan !== 'free'} />}
          </>
        }
      >
        {period}
      </PageHeader>
      {isOff && (
        <Notice tone="info" icon="card" title={t('off')}>
          {t('offText')}
        </Notice>
      )}
      <div className={cx('grid items-start gap-4', !isOff && 'grid-cols-[1fr_372px] max-desktop:grid-cols-1')}>
        <div className="flex min-w-0 flex-col gap-4">
          <PlanCard view={view} />
          {!isOff && isUnpaid(subscription.status) && <ConsequencesCard status={subscription.status} />}
          <MessagesByDay since={view.usage.period_start} />
        </div>
        {!isOff && (
          <div className="flex min-w-0 flex-col gap-4">
            {isUnpaid(subscription.status) && <OpenInvoiceCard />}
            <AddonsCard view={view} onChanged={onChanged} />
            <PlansCard view={view} />
            <InvoicesCard />
          </div>
        )}
      </div>
    </Page>
  )
}

/** A link that works once: it is made at the click, and followed at once. */
function PortalButton({ hasPlan }: { hasPlan: boolean }) {
  const t = useBillingTexts()
  const refusal = useRefusal('billing:write')
  const open = usePortal()
  if (!hasPlan) return null
  return (
    <>
      <Button icon="external" reason={refusal} isBusy={open.isPending} onClick={() => open.mutate()}>
        {t('portal')}
      </Button>
      {open.error && <FailureNotice error={open.error} />}
    </>
  )
}
