import type { LoggedRequest } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { Facts } from '../../../ui/data/card.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { Drawer, DrawerSection } from '../../../ui/overlays/drawer.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { documentQuery, findOperation } from '../reference/operations.ts'
import { CredentialName, ErrorCode, MethodAndPath, StatusCode } from './request-columns.tsx'
import type { SearchChange } from './request-filters.tsx'
import { requestQuery } from './requests-query.ts'
import { useRequestsTexts } from './requests-texts.ts'

type DrawerActions = { onFilter: (change: SearchChange) => void; onClose: () => void }
type RequestDrawerProps = DrawerActions & {
  number: number
  /** The request, where the list has it. */
  loaded: LoggedRequest | undefined
  organizationId: string
}

/** One request whole, also one that the list has not loaded. */
export function RequestDrawer({ number, loaded, organizationId, ...actions }: RequestDrawerProps) {
  const t = useRequestsTexts()
  const found = useQuery({ ...requestQuery(organizationId, number), enabled: loaded === undefined })
  const request = loaded ?? found.data
  if (request) return <LoadedRequest request={request} {...actions} />
  return (
    <Drawer label={t('details')} header={t('details')} onClose={actions.onClose}>
      {found.isError ? (
        <ErrorState title={t('failed')} error={found.error} onRetry={() => void found.refetch()} />
      ) : request === null ? (
        <EmptyState title={t('gone')}>{t('goneText')}</EmptyState>
      ) : (
        <Skeleton rows={6} />
      )}
    </Drawer>
  )
}

/** Shows a request and its response, and where to look next. */
function LoadedRequest({ request, onFilter, onClose }: DrawerActions & { request: LoggedRequest }) {
  const t = useRequestsTexts()
  const { method, path, route, status, error_code, duration_ms, answered_at, request_id, credential, ip } = request
  const isMasked = /\/:/.test(path)
  const scope = useMissingScope(request)
  return (
    <Drawer
      label={`${method} ${path}`}
      onClose={onClose}
      header={
        <div className="flex flex-col gap-1">
          <h2 className="text-section">
            <StatusCode status={status} />
          </h2>
          <MethodAndPath method={method} path={path} />
        </div>
      }
      footer={
        <>
          <Button size="bar" icon="filter" onClick={() => onFilter({ route })}>
            {t('onlyRoute')}
          </Button>
          <Button size="bar" icon="filter" onClick={() => onFilter({ credential_id: credential.id })}>
            {t('onlyKey')}
          </Button>
          {error_code !== null && (
            <Button size="bar" icon="filter" onClick={() => onFilter({ error_code })}>
              {t('onlyError', { code: error_code })}
            </Button>
          )}
        </>
      }
    >
      <DrawerSection title={t('details')}>
        <Facts
          facts={[
            [t('time'), <Time key="time" at={answered_at} precision="second" />],
            [t('duration'), formatDuration(duration_ms)],
            ...(error_code === null ? [] : [[t('error'), <ErrorCode key="error" code={error_code} />] as const]),
            ...(scope === undefined ? [] : [[t('scope'), <ErrorCode key="scope" code={scope} />] as const]),
            [t('route'), <MethodAndPath key="route" method={method} path={route} />],
            [t('request'), <Id key="request" id={request_id} />],
            [t('key'), <CredentialName key="key" credential={credential} />],
            ['', <Id key="key-id" id={credential.id} />],
            [t('address'), ip ?? '–'],
          ]}
        />
        {isMasked && <p className="mt-3 text-meta text-text-3">{t('maskedText')}</p>}
      </DrawerSection>
      <DrawerSection title={t('links')}>
        <ul className="flex flex-col gap-2">
          {listLinks(request).map(({ name, ...link }) => (
            <li key={name}>
              <Link {...link} className="text-accent hover:underline">
                {t(name)}
              </Link>
            </li>
          ))}
        </ul>
      </DrawerSection>
    </Drawer>
  )
}

/** The scope that the credential of a refused request lacks: the log has no answers, but each operation has its scope. */
function useMissingScope({ error_code, method, route, credential }: LoggedRequest): string | undefined {
  const isRefused = error_code === 'INSUFFICIENT_SCOPE' && credential.type === 'api_key'
  const { data } = useQuery({ ...documentQuery, enabled: isRefused })
  return isRefused ? findOperation(data?.operations ?? [], method, route)?.scope : undefined
}

type NamedLink = LinkProps & {
  name: 'toKeys' | 'toToken' | 'toChannel' | 'toMessages' | 'toWebhook' | 'otherRequests' | 'toReference'
}

/** Shows the subject of the request, as far as its path and credential say. */
function listLinks({ path, request_id, credential }: LoggedRequest): NamedLink[] {
  const [, collection, id] = /^\/api\/v1\/(channels|webhooks)\/([0-9a-f-]{36})/i.exec(path) ?? []
  const channelId = collection === 'channels' ? id : credential.channel_id
  return [
    ...(channelId
      ? ([
          { name: 'toChannel', to: '/channels/$channelId', params: { channelId } },
          { name: 'toMessages', to: '/messages', search: { channel_id: channelId } },
        ] as const)
      : []),
    ...(collection === 'webhooks' && id
      ? [{ name: 'toWebhook', to: '/webhooks/$webhookId', params: { webhookId: id } } as const]
      : []),
    credential.channel_id === null
      ? { name: 'toKeys', to: '/api-keys' }
      : {
          name: 'toToken',
          to: '/channels/$channelId',
          params: { channelId: credential.channel_id },
          search: { tab: 'token' },
        },
    { name: 'otherRequests', to: '/developers', search: { request_id } },
    { name: 'toReference', to: '/docs/reference' },
  ]
}
