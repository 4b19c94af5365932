import { useQuery } from '@tanstack/react-query'
import { getRouteApi, notFound } from '@tanstack/react-router'
import { useCallback } from 'react'
import { pausesQuery, webhookQuery } from '../../../api/webhooks.ts'
import { useApiExample } from '../../../lib/api-example.ts'
import { useCrumb } from '../../../lib/crumb.ts'
import { cx } from '../../../lib/cx.ts'
import { isUuid } from '../../../lib/uuid.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { DeliveryPane } from '../delivery/delivery-pane.tsx'
import { type DetailSearch, drop } from '../search.ts'
import { useWebhooksTexts } from '../webhooks-texts.ts'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointHeader } from './endpoint-header.tsx'
import { PausesPanel } from './pauses-panel.tsx'
import { useDeliveryPage } from './use-delivery-page.ts'

const route = getRouteApi('/shell/webhooks/$webhookId')

/** An endpoint, its deliveries, and one of them from the first attempt to the last. */
export function WebhookPage() {
  const t = useWebhooksTexts()
  const { webhookId } = route.useParams()
  // The hub would refuse it as invalid, which says nothing to a person.
  if (!isUuid(webhookId)) throw notFound()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const webhook = useQuery(webhookQuery(webhookId))
  const deliveries = useDeliveryPage(webhookId, search)
  const pauses = useQuery(pausesQuery(webhookId)).data ?? []
  useCrumb(webhook.data?.name)
  useLiveQueries(webhookQuery(webhookId).queryKey, ({ endpoint_id }) => endpoint_id === webhookId)
  useApiExample({
    method: 'GET',
    path: `/api/v1/webhooks/${webhookId}/deliveries`,
    sdk: `for await (const delivery of hub.webhooks.listDeliveries('${webhookId}')) {\n  console.log(delivery.event, delivery.status)\n}`,
  })
  const close = useCallback(() => void navigate({ search: ({ open, attempt, ...filters }) => filters }), [navigate])

  function change(next: { [Key in keyof DetailSearch]?: DetailSearch[Key] | undefined }): void {
    void navigate({ search: (before) => drop({ ...before, ...next }) as DetailSearch, replace: true })
  }
  if (webhook.isPending) return <Skeleton />
  if (webhook.isLoadingError) {
    return <ErrorState title={t('notFound')} error={webhook.error} onRetry={() => void webhook.refetch()} />
  }
  const isOpen = search.open !== undefined
  return (
    <div className="flex h-full min-h-0 flex-col max-tablet:h-auto">
      <EndpointHeader webhook={webhook.data} pause={pauses.find(({ to }) => to === null)} />
      <div className="flex min-h-0 flex-1">
        <div
          className={cx(
            'flex min-h-0 min-w-0 flex-col',
            isOpen ? 'flex-1 desktop:w-[360px] desktop:flex-none wide:w-[400px]' : 'flex-1',
          )}
        >
          <DeliveryList
            webhook={webhook.data}
            deliveries={deliveries}
            pauses={pauses}
            search={search}
            onChange={change}
          />
        </div>
        {!isOpen && <PausesPanel pauses={pauses} webhook={webhook.data} />}
        {search.open !== undefined && (
          <DeliveryPane
            key={search.open}
            webhook={webhook.data}
            deliveryId={search.open}
            attempt={search.attempt}
            onAttempt={(attempt) => change({ attempt })}
            onOpen={(open) => change({ open, attempt: undefined })}
            onClose={close}
          />
        )}
      </div>
    </div>
  )
}
