import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { REQUESTS_MAX } from '../../../api/generated/definitions.gen.ts'
import { useApiExample } from '../../../lib/api-example.ts'

import { formatNumber } from '../../../lib/format.ts'
import { ButtonAnchor, ButtonLink } from '../../../ui/controls/button.tsx'
import { CopyButton } from '../../../ui/controls/copy.tsx'
import { SearchBox } from '../../../ui/controls/filters.tsx'
import { Card, Facts, Page } from '../../../ui/data/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { documentQuery, type Operation } from './operations.ts'
import { useReferenceTexts } from './reference-texts.ts'

const BASE_URL = `${location.origin}/api/v1`

export function ReferenceTab() {
  const t = useReferenceTexts()
  const description = useQuery(documentQuery)
  useApiExample({
    method: 'GET',
    path: '/api/v1/channels',
    sdk: 'for await (const channel of hub.channels.list()) console.log(channel.id, channel.name)',
  })
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Page>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <p className="max-w-2xl">{t('subtitle')}</p>
          <span className="flex flex-wrap gap-2">
            <ButtonLink icon="book" to="/docs/reference">
              {t('open')}
            </ButtonLink>
            <ButtonAnchor icon="download" href="/openapi.json" download="openapi.json" target="_self">
              {t('download')}
            </ButtonAnchor>
          </span>
        </div>
        <Card title={t('basics')}>
          <Facts
            facts={[
              [
                t('baseUrl'),
                <span key="url" className="flex items-center gap-1">
                  <code className="font-mono text-meta break-all">{BASE_URL}</code>
                  <CopyButton text={BASE_URL} />
                </span>,
              ],
              [
                t('authentication'),
                <span key="authentication">
                  <code className="font-mono text-meta">Authorization: Bearer …</code>, {t('authenticationText')}
                </span>,
              ],
              [t('limits'), <Limits key="limits" />],
              [t('version'), description.data?.version ?? '–'],
            ]}
          />
        </Card>
        {description.isPending ? (
          <Skeleton rows={12} />
        ) : description.isError ? (
          <ErrorState title={t('failed')} error={description.error} onRetry={() => void description.refetch()} />
        ) : (
          <Operations operations={description.data.operations} />
        )}
      </Page>
    </div>
  )
}

function Limits() {
  const t = useReferenceTexts()
  const { perKey, perOrganization, webhooks, sends, facade } = REQUESTS_MAX
  return (
    <ul>
      <li>{t('limitKey', { requests: formatNumber(perKey) })}</li>
      <li>{t('limitOrganization', { requests: formatNumber(perOrganization) })}</li>
      <li>{t('limitWebhooks', { requests: formatNumber(webhooks) })}</li>
      <li>{t('limitSends', { requests: formatNumber(sends) })}</li>
      <li>{t('limitFacade', { requests: formatNumber(facade) })}</li>
      <li className="text-text-3">{t('limitHeaders')}</li>
    </ul>
  )
}

function Operations({ operations }: { operations: readonly Operation[] }) {
  const t = useReferenceTexts()
  const [typed, setTyped] = useState('')
  const wanted = typed.toLowerCase()
  const found = operations.filter(({ method, path, summary }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(wanted),
  )
  const tags = [...new Set(found.map(({ tag }) => tag))]
  return (
    <>
      <SearchBox isWide label={t('search')} value={typed} onChange={setTyped} />
      {tags.length === 0 && <EmptyState title={t('noMatch')} />}
      {tags.map((tag) => (
        <Card key={tag} title={tag} isFlush>
          <ul>
            {found
              .filter((one) => one.tag === tag)
              .map((operation) => (
                <OperationRow key={`${operation.method} ${operation.path}`} operation={operation} />
              ))}
          </ul>
        </Card>
      ))}
    </>
  )
}

function OperationRow({ operation }: { operation: Operation }) {
  const t = useReferenceTexts()
  const { id, method, path, summary, scope } = operation
  return (
    <li className="border-b border-line last:border-b-0">
      <Link
        to="/docs/reference/$operation"
        params={{ operation: id }}
        className="flex min-h-10 flex-wrap items-center gap-x-4 px-4 py-2 hover:bg-hover max-tablet:min-h-11"
      >
        <code className="flex min-w-0 gap-2 font-mono text-meta break-all">
          <span className="w-14 shrink-0 text-text-3">{method}</span>
          <span className="text-text">{path}</span>
        </code>
        <span className="text-text-2">{summary}</span>
        {scope && <span className="ml-auto text-meta text-text-3 max-tablet:ml-0">{t('scope', { scope })}</span>}
      </Link>
    </li>
  )
}
