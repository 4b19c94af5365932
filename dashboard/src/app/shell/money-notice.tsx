import type { SubscriptionView } from '@hubline/sdk'
import type { InvoiceView } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRefusal } from '../../api/permissions.ts'
import { usePlanName } from '../../api/plan-names.ts'
import { useSession } from '../../api/session.ts'
import { isUnpaid, openInvoiceQuery, usePortal } from '../../api/subscription.ts'
import { cx } from '../../lib/cx.ts'
import { formatDay, formatMoney } from '../../lib/format.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useShellTexts } from './shell-texts.ts'

/** The banner itself: what is owed, or what is above the limits. */
export function MoneyNotice({ view }: { view: SubscriptionView }) {
  return isUnpaid(view.subscription.status) ? <Overdue view={view} /> : <OverLimit view={view} />
}

function Overdue({ view: { subscription } }: { view: SubscriptionView }) {
  const t = useShellTexts()
  const { organization } = useSession()
  const { data: invoice } = useQuery(openInvoiceQuery(organization.id))
  const cannotChangeCard = useRefusal('billing:write') !== undefined
  const portal = usePortal()
  const isSuspended = subscription.status === 'suspended'
  return (
    <Banner
      isUrgent
      title={
        invoice ? describeDebt(t, invoice, organization.time_zone) : t(isSuspended ? 'moneySuspended' : 'moneyDue')
      }
      actions={
        <>
          {!cannotChangeCard && (
            <Button isBusy={portal.isPending} onClick={() => portal.mutate()}>
              {t('moneyCard')}
            </Button>
          )}
          <PayButton invoice={invoice ?? undefined} />
        </>
      }
    >
      {isSuspended ? t('moneySuspendedText') : describeNext(t, invoice ?? undefined, organization.time_zone)}
      {portal.error && <FailureNotice error={portal.error} />}
    </Banner>
  )
}

type Translate = ReturnType<typeof useShellTexts>

function describeDebt(t: Translate, { amount_due, currency, created_at }: InvoiceView, timeZone: string): string {
  return t('moneyDueSince', {
    amount: formatMoney(amount_due, currency),
    date: formatDay(created_at, { timeZone }),
  })
}

/** The day of the next attempt is named only where the payment provider has one. */
function describeNext(t: Translate, invoice: InvoiceView | undefined, timeZone: string): string {
  const at = invoice?.next_attempt_at ?? null
  if (at === null) return t('moneyNoRetry')
  return t('moneyRetry', { date: formatDay(at, { timeZone }) })
}

/** Leads to the page of the provider, where the invoice is paid; without one to the page with the invoices. */
function PayButton({ invoice }: { invoice: InvoiceView | undefined }) {
  const t = useShellTexts()
  const amount = invoice && formatMoney(invoice.amount_due, invoice.currency)
  const text = amount === undefined ? t('moneyPay') : t('moneyPayAmount', { amount })
  const url = invoice?.hosted_url ?? null
  if (url === null) {
    return (
      <ButtonLink kind="primary" to="/usage">
        {text}
      </ButtonLink>
    )
  }
  return (
    <ButtonAnchor kind="primary" href={url}>
      {text}
    </ButtonAnchor>
  )
}

/** More is in use than the plan has room for, because the plan ended or changed. */
function OverLimit({ view: { subscription, quotas } }: { view: SubscriptionView }) {
  const t = useShellTexts()
  const planName = usePlanName()
  const plan = planName(subscription.plan)
  const { channels, webhook_endpoints: endpoints } = quotas
  const [moreChannels, moreEndpoints] = [channels, endpoints].map(({ used, limit }) => used - (limit ?? used))
  if (!(Number(moreChannels) > 0 || Number(moreEndpoints) > 0)) return null
  const isOfChannels = Number(moreChannels) > 0
  const { used, limit } = isOfChannels ? channels : endpoints
  // One more, so that there is room for the next.
  const over = Number(isOfChannels ? moreChannels : moreEndpoints) + 1
  return (
    <Banner
      title={t(isOfChannels ? 'overChannels' : 'overEndpoints', { count: used, limit: limit ?? 0, plan })}
      actions={
        <ButtonLink kind="primary" to="/usage">
          {t(subscription.plan === 'free' ? 'upgrade' : 'changePlan')}
        </ButtonLink>
      }
    >
      {t(isOfChannels ? 'overChannelsText' : 'overEndpointsText', { count: over })}
    </Banner>
  )
}

type BannerProps = { title: string; actions: ReactNode; children: ReactNode; isUrgent?: true }

function Banner({ title, actions, children, isUrgent }: BannerProps) {
  return (
    <section
      aria-label={title}
      className={cx(
        'flex shrink-0 items-center gap-3 border-b px-8 py-2 max-tablet:flex-wrap max-tablet:px-4',
        isUrgent ? 'border-danger/30 bg-danger-soft' : 'border-warn/30 bg-warn-soft',
      )}
    >
      <Icon name="alert" size={16} className={cx('shrink-0', isUrgent ? 'text-danger' : 'text-warn')} />
      <p className="min-w-0 flex-1 text-text-2 max-tablet:basis-4/5">
        <strong className={cx('font-semibold', isUrgent ? 'text-danger' : 'text-warn')}>{title}</strong> {children}
      </p>
      <span className="flex flex-wrap items-center gap-2">{actions}</span>
    </section>
  )
}
