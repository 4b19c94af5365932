import { useQuery } from '@tanstack/react-query'
import { revealedQuery } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Masked } from '../../../ui/data/masked.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'

const TEXTS = {
  request: { hidden: 'bodyHidden', show: 'showBody' },
  response: { hidden: 'responseHidden', show: 'showResponse' },
} as const

type HiddenBodyProps = { webhookId: string; deliveryId: string; of: keyof typeof TEXTS }

/** In the place of a body, until a person asks for it. That shows the bodies of the request and of all responses. */
export function HiddenBody({ webhookId, deliveryId, of }: HiddenBodyProps) {
  const t = useDeliveryTexts()
  const { hidden, show } = TEXTS[of]
  const revealed = useQuery(revealedQuery(webhookId, deliveryId))
  return (
    <div className="flex flex-col items-start gap-3">
      <Masked label={t(hidden)} seed={of + deliveryId} />
      <p className="text-text-3">{t(hidden)}</p>
      <Button size="bar" icon="eye" isBusy={revealed.isFetching} onClick={() => void revealed.refetch()}>
        {t(show)}
      </Button>
      {revealed.error !== null && <FailureNotice error={revealed.error} />}
    </div>
  )
}
