import { Icon } from '../../ui/icon.tsx'
import { useBillingTexts } from './billing-texts.ts'

/** The reason why nothing can be bought while an invoice is open. */
export function PayFirst() {
  const t = useBillingTexts()
  return (
    <p className="flex items-center gap-2 text-text-2">
      <Icon name="lock" size={14} className="shrink-0" />
      {t('payFirst')}
    </p>
  )
}
