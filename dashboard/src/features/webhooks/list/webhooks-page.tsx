import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useInspector } from '../../../api/inspector.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { concernsWebhooks, webhooksQuery } from '../../../api/webhooks.ts'
import { useApiExample, writeCurl } from '../../../lib/api-example.ts'
import { useLiveQueries } from '../../../live/use-live-queries.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { FilterChip } from '../../../ui/controls/filters.tsx'
import { Page, PageHeader } from '../../../ui/data/card.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { EmptyState, ErrorState, NoMatch, Skeleton } from '../../../ui/states/list-states.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { EndpointDialog } from '../edit/endpoint-dialog.tsx'
import { type ShownSecret, WebhookSecretSheet } from '../secret-sheet.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'
import { useEndpointColumns } from './endpoint-columns.tsx'
import { ListenersCard } from './listeners-card.tsx'

const route = getRouteApi('/shell/webhooks')
const CREATE = {
  method: 'POST',
  path: '/api/v1/webhooks',
  body: { name: 'CRM', url: 'https://example.com/hook' },
} as const

export function WebhooksPage() {
  const t = useWebhooksTexts()
  const u = useUiTexts()
  const navigate = useNavigate()
  const { status, dialog } = route.useSearch()
  const refusal = useRefusal('webhooks:write')
  const columns = useEndpointColumns()
  const inspector = useInspector().data
  const [created, setCreated] = useState<ShownSecret>()
  const webhooks = useQuery(webhooksQuery)
  useLiveQueries(webhooksQuery.queryKey, concernsWebhooks)
  useApiExample({
    method: 'GET',
    path: '/api/v1/webhooks',
    sdk: 'for await (const webhook of hub.webhooks.list()) {\n  console.log(webhook.name, webhook.status)\n}',
  })

  const shown = webhooks.data?.filter((webhook) => status === undefined || webhook.status === status) ?? []
  const addButton = (
    <Button
      kind="primary"
      icon="plus"
      reason={refusal}
      onClick={() => void navigate({ to: '/webhooks', search: { dialog: 'create' } })}
    >
      {t('add')}
    </Button>
  )
  const receiveHere = inspector?.is_available && (
    <ButtonLink icon="arrow-in" to="/webhooks/receive">
      {t('receiveHere')}
    </ButtonLink>
  )
  return (
    <Page>
      <PageHeader
        title={t('title')}
        aside={
          <>
            {receiveHere}
            <ButtonLink icon="shield" to="/webhooks/signature">
              {t('signature')}
            </ButtonLink>
            {webhooks.data?.length !== 0 && addButton}
          </>
        }
      >
        {t('subtitle')}
      </PageHeader>
      {webhooks.data && webhooks.data.length > 0 && (
        <div className="flex">
          <FilterChip
            name={t('status')}
            value={status}
            options={(['active', 'paused', 'disabled'] as const).map((value) => ({
              value,
              label: <Status status={value} />,
            }))}
            onChange={(value) => void navigate({ to: '/webhooks', search: value ? { status: value as 'active' } : {} })}
          />
        </div>
      )}
      {webhooks.isPending ? (
        <Skeleton rowClass="h-14" />
      ) : webhooks.isLoadingError ? (
        <ErrorState title={t('loadFailed')} error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : webhooks.data.length === 0 ? (
        <EmptyState
          title={t('noneTitle')}
          actions={
            <>
              {addButton}
              <CopyTextButton size="normal" label={u('copyCurl')} text={writeCurl(CREATE)} />
            </>
          }
        >
          {t('noneText')}
        </EmptyState>
      ) : shown.length === 0 ? (
        <NoMatch title={t('noMatch')} onClear={() => void navigate({ to: '/webhooks', search: {} })}>
          {t('noMatchText', { count: webhooks.data.length })}
        </NoMatch>
      ) : (
        <Table
          label={t('title')}
          size="double"
          columns={columns}
          rows={shown}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: '/webhooks/$webhookId', params: { webhookId: id } })}
        />
      )}
      <ListenersCard />
      {dialog === 'create' && (
        <EndpointDialog
          onClose={() => void navigate({ to: '/webhooks', search: {} })}
          onCreated={(secret) => {
            setCreated(secret)
            void navigate({ to: '/webhooks', search: {}, replace: true })
          }}
        />
      )}
      {created && (
        <WebhookSecretSheet
          shown={created}
          onDone={() => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: created.id } })}
        />
      )}
    </Page>
  )
}
