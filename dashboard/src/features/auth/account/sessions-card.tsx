import type { Session } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Badge } from '../../../ui/data/badge.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { ErrorState, FailureNotice, Skeleton } from '../../../ui/states/list-states.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { Table } from '../../../ui/table/table.tsx'
import { useAccountTexts } from './account-texts.ts'
import { describeAgent } from './describe-agent.ts'

export function SessionsCard() {
  const t = useAccountTexts()
  const client = useQueryClient()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => hub.console.listSessions().toArray() })
  const end = useMutation({
    mutationFn: (id: string) => hub.console.revokeSession(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const columns: Column<Session>[] = [
    {
      id: 'agent',
      header: t('who'),
      cell: ({ user_agent, current }) => (
        <span className="flex items-center gap-2 text-text">
          {describeAgent(user_agent) ?? t('unknownAgent')}
          {current && <Badge tone="accent">{t('current')}</Badge>}
        </span>
      ),
    },
    { id: 'ip', header: t('where'), cell: ({ ip }) => ip ?? '–', from: 'tablet' },
    { id: 'created', header: t('since'), cell: ({ created_at }) => <Time at={created_at} />, from: 'tablet' },
    { id: 'seen', header: t('lastSeen'), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
    {
      id: 'end',
      header: '',
      isNumber: true,
      cell: ({ id, current, user_agent }) =>
        current ? null : (
          <Button
            size="bar"
            isBusy={end.isPending && end.variables === id}
            aria-label={t('endAria', { agent: describeAgent(user_agent) ?? t('unknownAgent') })}
            onClick={() => end.mutate(id)}
          >
            {t('end')}
          </Button>
        ),
    },
  ]
  return (
    <Card title={t('sessions')}>
      {end.error && <FailureNotice error={end.error} />}
      {sessions.isPending ? (
        <Skeleton rows={3} />
      ) : sessions.isLoadingError ? (
        <ErrorState title={t('sessionsFailed')} error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Table label={t('sessions')} columns={columns} rows={sessions.data} rowKey={({ id }) => id} />
      )}
    </Card>
  )
}
