import type { RequestErrorGroup } from '@hubline/sdk/console'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Age } from '../../../ui/data/time.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { Table } from '../../../ui/table/table.tsx'
import type { DevelopersSearch } from '../search.ts'
import { MethodAndPath, StatusCode } from './request-columns.tsx'
import { useRequestsTexts } from './requests-texts.ts'

const SHOWN = 3

type ErrorGroupsProps = { groups: UseQueryResult<RequestErrorGroup[]>; search: DevelopersSearch }

/** Failed requests by error and route. Each leads to its requests in the log below. */
export function ErrorGroups({ groups, search }: ErrorGroupsProps) {
  const t = useRequestsTexts()
  const [isWhole, setWhole] = useState(false)
  const { open, ...filters } = search
  const all = groups.data ?? []
  if (groups.isPending) return <Skeleton rows={SHOWN} />
  if (groups.isError && !groups.data) {
    return <ErrorState title={t('errorsFailed')} error={groups.error} onRetry={() => void groups.refetch()} />
  }
  return (
    <Card
      title={t('errors')}
      aside={
        all.length > SHOWN && (
          <Button size="bar" kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('fewerErrors') : t('allErrors', { count: all.length })}
          </Button>
        )
      }
    >
      {all.length === 0 ? (
        <p>{t('noErrors')}</p>
      ) : (
        <Table
          label={t('errors')}
          size="log"
          rows={isWhole ? all : all.slice(0, SHOWN)}
          rowKey={({ error_code, status, method, route }) => `${error_code} ${status} ${method} ${route}`}
          rowLink={({ error_code, status, route }) => ({
            to: '/developers',
            search: { ...filters, route, ...(error_code === null ? { status: String(status) } : { error_code }) },
          })}
          columns={[
            {
              id: 'error',
              header: t('error'),
              className: 'max-tablet:w-full max-tablet:max-w-0',
              cell: ({ error_code, status, method, route }) => (
                <>
                  <span className="flex items-center gap-3">
                    <StatusCode status={status} />
                    <code className="truncate font-mono text-meta">{error_code ?? t('ofUpstream')}</code>
                  </span>
                  <span className="hidden max-tablet:block">
                    <MethodAndPath method={method} path={route} />
                  </span>
                </>
              ),
            },
            {
              id: 'route',
              header: t('route'),
              from: 'tablet',
              className: 'w-full max-w-0',
              cell: ({ method, route }) => <MethodAndPath method={method} path={route} />,
            },
            { id: 'count', header: t('count'), isNumber: true, cell: ({ count }) => formatNumber(count) },
            {
              id: 'last',
              header: t('last'),
              from: 'tablet',
              isNumber: true,
              cell: ({ last_at }) => <Age at={last_at} />,
            },
          ]}
        />
      )}
    </Card>
  )
}
