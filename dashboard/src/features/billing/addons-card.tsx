import type { SubscriptionView } from '@hubline/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PLANS, PREVIEW_SECONDS } from '../../api/generated/definitions.gen.ts'
import { hub } from '../../api/hub.ts'
import { useRefusal } from '../../api/permissions.ts'
import { usePlanName } from '../../api/plan-names.ts'
import { isUnpaid } from '../../api/subscription.ts'
import { formatDuration, formatMoney } from '../../lib/format.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/data/card.tsx'
import { useNow } from '../../ui/data/time.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { useBillingTexts } from './billing-texts.ts'
import { useBillingDay } from './days.ts'
import { PayFirst } from './pay-first.tsx'
import { usePrice, useWritePrice } from './prices.ts'

const PREVIEW_MS = PREVIEW_SECONDS * 1000

/** A stepper, what the change costs now, and the button that says so. */
export function AddonsCard({
  view: { subscription, quotas },
  onChanged,
}: {
  view: SubscriptionView
  onChanged: () => void
}) {
  const t = useBillingTexts()
  const planName = usePlanName()
  const { plan, addons } = subscription
  const [wanted, setWanted] = useState(addons)
  const max = PLANS[plan].addonsMax
  const price = usePrice()('connection')
  const limit = (quotas.channels.limit ?? 0) - addons + wanted
  const min = Math.min(addons, Math.max(0, quotas.channels.used - PLANS[plan].channels))
  const isBlocked = isUnpaid(subscription.status)
  return (
    <Card
      title={t('addons')}
      // An organization that has some pays what they cost when it got the first of them.
      aside={max > 0 && addons === 0 && price !== undefined && <span>{t('priceEach', { price })}</span>}
      className={wanted === addons ? '' : 'border-accent-line'}
    >
      {max === 0 ? (
        <p>{t('addonsNone', { plan: planName(plan) })}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <div className="flex items-center gap-3">
            <div className="flex shrink-0 items-center rounded-control border border-ctl">
              <IconButton
                icon="minus"
                label={t('less')}
                disabled={wanted <= min || isBlocked}
                onClick={() => setWanted(wanted - 1)}
              />
              <output className="w-12 border-x border-line text-center text-dialog font-semibold text-text">
                {wanted}
              </output>
              <IconButton
                icon="plus"
                label={t('more')}
                disabled={wanted >= max || isBlocked}
                onClick={() => setWanted(wanted + 1)}
              />
            </div>
            <p>{wanted === addons ? t('addonsSame') : t('addonsText', { now: addons, next: wanted, count: limit })}</p>
          </div>
          {isBlocked ? (
            <PayFirst />
          ) : (
            wanted <= min && min > 0 && <p className="text-meta text-text-3">{t('addonsInUse', { count: min })}</p>
          )}
          {wanted !== addons && !isBlocked && (
            <Preview
              key={wanted}
              total={wanted}
              renewsAt={subscription.cancels_at === null ? subscription.current_period_end : null}
              onChanged={onChanged}
            />
          )}
        </div>
      )}
    </Card>
  )
}

type PreviewProps = { total: number; renewsAt: string | null; onChanged: () => void }

function Preview({ total, renewsAt, onChanged }: PreviewProps) {
  const t = useBillingTexts()
  const refusal = useRefusal('billing:write')
  const now = useNow()
  const toDay = useBillingDay()
  const writePrice = useWritePrice()
  const preview = useQuery({
    queryKey: ['addons-preview', total],
    queryFn: async () => ({ ...(await hub.billing.previewAddons({ total })).preview, madeAt: Date.now() }),
    staleTime: PREVIEW_MS,
    refetchOnWindowFocus: false,
  })
  const set = useMutation({
    mutationFn: (proration_date: string) => hub.billing.setAddons({ total, proration_date }),
    onSuccess: onChanged,
  })
  if (preview.isError) return <FailureNotice error={preview.error} />
  if (preview.isPending) return <p role="status">{t('preview')} …</p>
  const { amount_due, currency, recurring, proration_date, madeAt } = preview.data
  const left = madeAt + PREVIEW_MS - now
  const amount = formatMoney(Math.abs(amount_due), currency)
  if (set.data?.addons.status === 'pending_payment') return <Notice tone="warn" icon="clock" title={t('pending')} />
  return (
    <>
      <dl className="rounded-card border border-line bg-bg p-3">
        <div className="flex justify-between">
          <dt className="font-medium text-text">{t('preview')}</dt>
          <dd className="text-text-3">{left > 0 && t('previewTime', { time: formatDuration(left) })}</dd>
        </div>
        <div className="mt-2 flex items-baseline justify-between">
          <dt className="font-medium text-text">{t(amount_due < 0 ? 'amountCredit' : 'amountDue')}</dt>
          <dd className="text-dialog font-semibold text-text">{amount}</dd>
        </div>
        {recurring && (
          <div className="mt-1 flex items-baseline justify-between">
            <dt>{t('afterward')}</dt>
            <dd className="text-text">{writePrice({ ...recurring, currency })}</dd>
          </div>
        )}
        {recurring && renewsAt !== null && (
          <div className="mt-1 flex items-baseline justify-between">
            <dt>{t('nextCharge')}</dt>
            <dd className="text-text">{toDay(renewsAt)}</dd>
          </div>
        )}
      </dl>
      {set.error && <FailureNotice error={set.error} />}
      {left > 0 ? (
        <Button
          kind="primary"
          size="form"
          reason={refusal}
          isBusy={set.isPending}
          onClick={() => set.mutate(proration_date)}
        >
          {amount_due > 0 ? t('confirm', { amount }) : t('confirmFree')}
        </Button>
      ) : (
        <Button onClick={() => void preview.refetch()}>{t('expired')}</Button>
      )}
      <p className="text-center text-meta text-text-3">{t('whenPaid')}</p>
    </>
  )
}
