import type { AttemptRecord, Delivery, Webhook } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { deliveryQuery, payloadQuery } from '../../../api/webhooks.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Kbd } from '../../../ui/controls/filters.tsx'
import { StatusBadge } from '../../../ui/data/status.tsx'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { ErrorState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { AttemptDetail } from './attempt-detail.tsx'
import { CurlButton } from './curl-button.tsx'
import { DeliveryIds } from './delivery-ids.tsx'
import { DeliveryStrip } from './delivery-strip.tsx'
import { useDeliveryTexts } from './delivery-texts.ts'
import { findReplayObstacle } from './replay-obstacle.ts'

type DeliveryPaneProps = {
  webhook: Webhook
  deliveryId: string
  /** The attempt that is shown; the last one without it. */
  attempt: number | undefined
  onAttempt: (attempt: number) => void
  onOpen: (deliveryId: string) => void
  onClose: () => void
}

/** One delivery: its attempts on a line, and what was sent and came back in each. */
export function DeliveryPane({ webhook, deliveryId, attempt, onAttempt, onOpen, onClose }: DeliveryPaneProps) {
  const t = useDeliveryTexts()
  const detail = useQuery(deliveryQuery(webhook.id, deliveryId))
  const { delivery, attempts = [] } = detail.data ?? {}
  const shown = attempts.find(({ number }) => number === attempt) ?? attempts.at(-1)
  return (
    <Drawer
      isWide
      label={t('delivery')}
      onClose={onClose}
      header={
        delivery && (
          <div className="flex flex-wrap items-start justify-between gap-3">
            <div className="min-w-0">
              <h2 className="flex flex-wrap items-center gap-2 text-section font-medium text-text">
                <code className="font-mono">{delivery.event}</code>
                <StatusBadge status={delivery.status} />
              </h2>
              <DeliveryIds webhookId={webhook.id} deliveryId={deliveryId} onOpen={onOpen} />
            </div>
            <PaneActions {...{ webhook, delivery, onOpen }} shown={shown} />
          </div>
        )
      }
    >
      {detail.isPending ? (
        <Skeleton />
      ) : detail.isLoadingError ? (
        <ErrorState title={t('detailFailed')} error={detail.error} onRetry={() => void detail.refetch()} />
      ) : (
        <div className="flex flex-col gap-4 p-5">
          <DeliveryStrip
            delivery={detail.data.delivery}
            attempts={attempts}
            endpointStatus={webhook.status}
            selected={shown?.number}
            onSelect={onAttempt}
          />
          <AttemptDetail webhookId={webhook.id} deliveryId={deliveryId} attempt={shown} />
        </div>
      )}
    </Drawer>
  )
}

type PaneActionsProps = {
  webhook: Webhook
  delivery: Delivery
  shown: AttemptRecord | undefined
  onOpen: (deliveryId: string) => void
}

function PaneActions({ webhook, delivery, shown, onOpen }: PaneActionsProps) {
  const t = useDeliveryTexts()
  const client = useQueryClient()
  const refusal = useRefusal('webhooks:write')
  const replay = useMutation({
    mutationFn: () => hub.webhooks.replayDelivery(webhook.id, delivery.id),
    async onSuccess({ delivery_id }) {
      showToast(t('replayed'))
      await client.invalidateQueries({ queryKey: ['webhooks', webhook.id] })
      onOpen(delivery_id)
    },
  })
  const { data: payload } = useQuery(payloadQuery(webhook.id, delivery.id))
  const obstacle = findReplayObstacle(webhook, delivery, payload)
  const reason = refusal ?? (obstacle && t(`noReplay.${obstacle}`))
  useShortcuts({ r: () => reason === undefined && !replay.isPending && replay.mutate() })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {delivery.status === 'retry' && <RetryButton webhook={webhook} delivery={delivery} />}
      {shown && <CurlButton webhook={webhook} deliveryId={delivery.id} attempt={shown} />}
      <Button size="bar" icon="replay" isBusy={replay.isPending} reason={reason} onClick={() => replay.mutate()}>
        {t('replay')}{' '}
        <span className="max-tablet:hidden">
          <Kbd>R</Kbd>
        </span>
      </Button>
      {replay.error && <FailureNotice error={replay.error} />}
    </div>
  )
}

/** Makes the next attempt of a delivery that waits for it. */
function RetryButton({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const t = useDeliveryTexts()
  const client = useQueryClient()
  const refusal = useRefusal('webhooks:write')
  const retry = useMutation({
    mutationFn: () => hub.webhooks.retryDelivery(webhook.id, delivery.id),
    onSuccess: () => showToast(t('retried')),
    // A delivery that was attempted meanwhile cannot be retried: the new state says why.
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks', webhook.id] }),
  })
  const reason = refusal ?? (webhook.status === 'active' ? undefined : t('noReplay.inactive'))
  return (
    <>
      <Button size="bar" icon="play" isBusy={retry.isPending} reason={reason} onClick={() => retry.mutate()}>
        {t('retryNow')}
      </Button>
      {retry.error && <FailureNotice error={retry.error} />}
    </>
  )
}
