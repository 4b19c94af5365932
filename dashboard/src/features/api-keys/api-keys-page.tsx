import type { ApiKey } from '@hubline/sdk/console'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SCOPES } from '../../api/generated/routes.gen.ts'
import { hub } from '../../api/hub.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useSession } from '../../api/session.ts'
import { useApiExample, writeCurl } from '../../lib/api-example.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyTextButton } from '../../ui/controls/copy.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { CodeBlock } from '../../ui/data/code.tsx'
import { SecretSheet } from '../../ui/overlays/secret-sheet.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useApiKeysTexts } from './api-keys-texts.ts'
import { CreateDialog, type CreatedKey } from './create-dialog.tsx'
import { useKeyColumns } from './key-columns.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

const route = getRouteApi('/shell/api-keys')
const CREATE = { method: 'POST', path: '/api/v1/api-keys', body: { name: 'ci', scopes: ['messages:send'] } } as const
const PAGE_LENGTH = 50

export function ApiKeysPage() {
  const t = useApiKeysTexts()
  const u = useUiTexts()
  const navigate = useNavigate()
  const { dialog } = route.useSearch()
  const refusal = useRefusal('api_keys:write')
  const { role } = useSession()
  const [created, setCreated] = useState<CreatedKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const columns = useKeyColumns(refusal === undefined ? setRevoking : undefined)
  const keys = useInfiniteQuery({
    queryKey: ['api-keys'],
    queryFn: ({ pageParam: cursor }) => hub.apiKeys.list({ limit: PAGE_LENGTH, cursor }).firstPage(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  useApiExample({
    method: 'GET',
    path: '/api/v1/api-keys',
    sdk: 'for await (const key of hub.apiKeys.list()) {\n  console.log(key.name, key.status, key.last_used_at)\n}',
  })
  const rows = keys.data?.pages.flatMap(({ items }) => items) ?? []
  const close = () => void navigate({ to: '/api-keys', search: {} })
  const newButton = (
    <Button
      kind="primary"
      icon="plus"
      reason={refusal}
      onClick={() => void navigate({ to: '/api-keys', search: { dialog: 'create' } })}
    >
      {t('newKey')}
    </Button>
  )
  return (
    <Page>
      <PageHeader title={t('title')} aside={rows.length > 0 && newButton}>
        {t('subtitle')}
      </PageHeader>
      {keys.isPending ? (
        <Skeleton />
      ) : keys.isLoadingError ? (
        <ErrorState title={t('loadFailed')} error={keys.error} onRetry={() => void keys.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState
          title={t('noneTitle')}
          actions={
            <>
              {newButton}
              <CopyTextButton size="normal" label={u('copyCurl')} text={writeCurl(CREATE)} />
            </>
          }
        >
          {t('noneText')}
        </EmptyState>
      ) : (
        <>
          <Table label={t('title')} columns={columns} rows={rows} rowKey={({ id }) => id} />
          {keys.hasNextPage && (
            <div>
              <Button isBusy={keys.isFetchingNextPage} onClick={() => void keys.fetchNextPage()}>
                {u('loadMore')}
              </Button>
            </div>
          )}
        </>
      )}
      {dialog === 'create' && refusal === undefined && (
        <CreateDialog
          // A person can give only scopes that they have, and an admin has all but this one.
          granted={SCOPES.filter((scope) => role === 'owner' || scope !== 'billing:write')}
          onCreated={(key) => {
            setCreated(key)
            close()
          }}
          onClose={close}
        />
      )}
      {created && (
        <SecretSheet
          title={t('secretTitle', { name: created.name })}
          label={t('secretLabel')}
          purpose={t('secretPurpose')}
          secret={created.secret}
          env={{ name: 'HUBLINE_KEY' }}
          onDone={() => setCreated(undefined)}
        >
          <section className="mt-6 flex flex-col gap-2">
            <h3 className="text-section font-semibold text-text">{t('tryIt')}</h3>
            <CodeBlock label={t('tryIt')} code={writeCurl({ method: 'GET', path: '/api/v1/channels' })} />
          </section>
        </SecretSheet>
      )}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}
