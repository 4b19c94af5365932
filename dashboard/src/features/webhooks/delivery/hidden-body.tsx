import { useQuery } from '@tanstack/react-query'
import { revealedQuery } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Masked } from '../../../ui/data/masked.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'

/** In the place of a body, until a person asks for it. That shows the bodies of the request and of all responses. */
export function HiddenBody({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const t = useDeliveryTexts()
  const revealed = useQuery(revealedQuery(webhookId, deliveryId))
  return (
    <div className="flex flex-col items-start gap-3">
      <Masked label={t('bodyHidden')} seed={deliveryId} />
      <p className="text-text-3">{t('bodyHidden')}</p>
      <Button size="bar" icon="eye" isBusy={revealed.isFetching} onClick={() => void revealed.refetch()}>
        {t('showBody')}
      </Button>
      {revealed.error !== null && <FailureNotice error={revealed.error} />}
    </div>
  )
}
