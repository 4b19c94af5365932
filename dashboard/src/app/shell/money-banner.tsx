import type { SubscriptionView } from '@hubline/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { isAtLeast } from '../../api/role-scopes.ts'
import { lacksSecondFactor, useSession } from '../../api/session.ts'
import { concernsSubscription, invoicesKey, isUnpaid, subscriptionQuery } from '../../api/subscription.ts'
import { loadWithTexts } from '../../lib/texts.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { showToast } from '../../ui/states/toasts.tsx'
import { useShellTexts } from './shell-texts.ts'

/** Most organizations never see it, so that its code is not among what every page loads first. Without it the page still works. */
const MoneyNotice = lazy(() =>
  loadWithTexts(() => import('./money-notice.tsx'))
    .catch(() => ({ MoneyNotice: () => null }))
    .then(toDefault),
)

function toDefault({ MoneyNotice: notice }: { MoneyNotice: (props: { view: SubscriptionView }) => React.ReactNode }) {
  return { default: notice }
}

/** On every page of owners and admins, while a payment is overdue or more is in use than the plan has room for. */
export function MoneyBanner() {
  const session = useSession()
  const isForMoney = isAtLeast(session.role, 'admin') && !lacksSecondFactor(session)
  return isForMoney ? <Money /> : null
}

function Money() {
  const { data: view } = useQuery(subscriptionQuery)
  useLiveQueries(subscriptionQuery.queryKey, (event) => concernsSubscription(event) || changesQuota(event))
  useLiveQueries(invoicesKey, concernsSubscription)
  useThanks(view)
  if (view === undefined || !(isUnpaid(view.subscription.status) || isOverLimit(view))) return null
  return (
    <Suspense fallback={null}>
      <MoneyNotice view={view} />
    </Suspense>
  )
}

function isOverLimit({ quotas }: SubscriptionView): boolean {
  return Object.values(quotas).some(({ used, limit }) => limit !== null && used > limit)
}

function changesQuota({ kind }: { kind: string }): boolean {
  return kind === 'channel.updated' || kind === 'endpoint.updated'
}

/** Says that a payment has arrived, to the person who paid in another window. */
function useThanks(view: SubscriptionView | undefined): void {
  const t = useShellTexts()
  const status = view?.subscription.status
  const before = useRef(status)
  useEffect(() => {
    const wasUnpaid = before.current !== undefined && isUnpaid(before.current)
    before.current = status
    if (wasUnpaid && status === 'active') showToast(t('moneyPaid'))
  }, [status, t])
}
