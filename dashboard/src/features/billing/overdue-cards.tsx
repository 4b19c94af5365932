import type { SubscriptionView } from '@hubline/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { openInvoiceQuery } from '../../api/subscription.ts'
import { cx } from '../../lib/cx.ts'
import { formatMoney } from '../../lib/format.ts'
import { ButtonAnchor } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { useNow } from '../../ui/data/time.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useBillingTexts } from './billing-texts.ts'
import { useBillingDay } from './days.ts'

/** The invoice that is to be paid, where the payment provider says which one it is. */
export function OpenInvoiceCard() {
  const t = useBillingTexts()
  const toDay = useBillingDay()
  const { organization } = useSession()
  const { data: invoice } = useQuery(openInvoiceQuery(organization.id))
  if (!invoice) return null
  const { number, amount_due, currency, created_at, period_start, period_end, hosted_url } = invoice
  const amount = formatMoney(amount_due, currency)
  return (
    <Card
      title={t('openInvoice')}
      aside={number !== null && <span className="font-mono text-meta text-text-3">{number}</span>}
      className="border-danger/40"
    >
      <dl className="flex flex-col gap-2">
        {period_start !== null && period_end !== null && (
          <div className="flex justify-between gap-3">
            <dt>{t('openPeriod')}</dt>
            <dd className="text-text">{t('invoicePeriod', { from: toDay(period_start), to: toDay(period_end) })}</dd>
          </div>
        )}
        <div className="flex justify-between gap-3">
          <dt>{t('openSince')}</dt>
          <dd className="text-text">{toDay(created_at)}</dd>
        </div>
        <div className="flex items-baseline justify-between gap-3 border-t border-line pt-2">
          <dt className="font-medium text-text">{t('toPay')}</dt>
          <dd className="text-dialog font-semibold text-text">{amount}</dd>
        </div>
      </dl>
      {hosted_url !== null && (
        <p className="mt-3 flex flex-col gap-2 [&>a]:w-full">
          <ButtonAnchor size="form" href={hosted_url}>
            {t('payAmount', { amount })}
          </ButtonAnchor>
          <span className="text-center text-meta text-text-3">{t('payText')}</span>
        </p>
      )}
    </Card>
  )
}

type Step = { icon: IconName; tone: 'past' | 'now' | 'next' | 'bad'; when: string; title: string; text: string }

const TONES = { past: 'text-danger', now: 'text-accent', next: 'text-warn', bad: 'text-text-3' }

/** Each stop until the invoice is paid. Days are named only where the payment provider gives them. */
export function ConsequencesCard({ status }: { status: SubscriptionView['subscription']['status'] }) {
  const t = useBillingTexts()
  const toDay = useBillingDay()
  const { organization } = useSession()
  const { data: invoice } = useQuery(openInvoiceQuery(organization.id))
  const today = toDay(new Date(useNow()).toISOString())
  const isSuspended = status === 'suspended'
  const stopped = { title: t('stopsSending'), text: t('goesOn') }
  const steps: Step[] = [
    ...(invoice
      ? [{ icon: 'ring-cross', tone: 'past', when: toDay(invoice.created_at), title: t('notPaid'), text: '' } as const]
      : []),
    isSuspended
      ? { icon: 'ring-bars', tone: 'past', when: t('today', { date: today }), ...stopped }
      : {
          icon: 'ring-tick',
          tone: 'now',
          when: t('today', { date: today }),
          title: t('works'),
          text: t('noPurchases'),
        },
    ...(invoice?.next_attempt_at
      ? [
          {
            icon: 'clock',
            tone: 'next',
            when: toDay(invoice.next_attempt_at),
            title: t('nextAttempt'),
            text: t('nextAttemptText'),
          } as const,
        ]
      : []),
    ...(isSuspended ? [] : [{ icon: 'ring-dashed', tone: 'bad', when: t('ifSuspended'), ...stopped } as const]),
    { icon: 'ring-dashed', tone: 'bad', when: t('oncePaid'), title: t('worksAgain'), text: '' },
  ]
  return (
    <Card title={t('whatHappens')} aside={<span className="text-text-3">{t('untilPaid')}</span>}>
      <ol className="grid auto-cols-fr grid-flow-col gap-4 max-tablet:grid-flow-row">
        {steps.map((step) => (
          <StepItem key={step.when} {...step} />
        ))}
      </ol>
    </Card>
  )
}

function StepItem({ icon, tone, when, title, text }: Step): ReactNode {
  return (
    <li className="flex flex-col gap-1">
      <Icon name={icon} size={16} className={TONES[tone]} />
      <span className="mt-1 font-semibold text-text">{when}</span>
      <span className={cx(tone === 'past' ? 'text-danger' : 'text-text')}>{title}</span>
      {text !== '' && <span className="text-meta text-text-3">{text}</span>}
    </li>
  )
}
