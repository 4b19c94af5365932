import { queryOptions, useQuery } from '@tanstack/react-query'
import { HUB_VERSION, QUEUED_MAX } from '../../../api/generated/definitions.gen.ts'
import { hub } from '../../../api/hub.ts'
import { probeQuery } from '../../../api/probes.ts'
import { useSandbox } from '../../../api/setup.ts'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { Card, Facts, Page } from '../../../ui/data/card.tsx'
import { Status } from '../../../ui/data/status.tsx'
import { ErrorState, Skeleton } from '../../../ui/states/list-states.tsx'
import { useStatusTabTexts } from './status-texts.ts'

const EVERY_MS = 10_000

const figuresQuery = queryOptions({
  queryKey: ['statistics', 'queue'],
  queryFn: async () => (await hub.console.showStatistics({ range: '24h' })).webhooks,
  refetchInterval: EVERY_MS,
})

export function StatusTab() {
  const t = useStatusTabTexts()
  const isSandbox = useSandbox()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Page>
        <p>{t('subtitle')}</p>
        <Card title={t('hub')}>
          <Facts
            facts={[
              [
                <code key="path" className="font-mono text-meta">
                  /health
                </code>,
                <ProbeResult key="health" path="/health" />,
              ],
              [
                <code key="path" className="font-mono text-meta">
                  /ready
                </code>,
                <ProbeResult key="ready" path="/ready" />,
              ],
              [t('version'), HUB_VERSION],
            ]}
          />
          {isSandbox && <p className="mt-3 text-text-3">{t('sandbox')}</p>}
        </Card>
        <Card title={t('deliveries')}>
          <Queue />
        </Card>
      </Page>
    </div>
  )
}

function ProbeResult({ path }: { path: '/health' | '/ready' }) {
  const t = useStatusTabTexts()
  const { data, isPending, isError } = useQuery(probeQuery(path))
  const meaning = t(path === '/health' ? 'health' : 'ready')
  if (isPending) return <Status status="pending">{meaning}</Status>
  if (isError) return <Status status="failed">{t('failed')}</Status>
  if (data.status !== 200) {
    return (
      <Status status="degraded">
        {t('notReady')} ({data.status})
      </Status>
    )
  }
  if (data.isHeld) return <Status status="degraded">{t('held')}</Status>
  return (
    <span className="flex flex-wrap gap-x-2">
      <Status status="ok">{meaning}</Status>
      <span className="text-text-3">{t('latency', { time: formatDuration(data.ms) })}</span>
    </span>
  )
}

function Queue() {
  const t = useStatusTabTexts()
  const { data, isPending, error, refetch } = useQuery(figuresQuery)
  if (isPending) return <Skeleton rows={2} />
  if (!data) return <ErrorState title={t('figuresFailed')} error={error} onRetry={() => void refetch()} />
  return (
    <Facts
      facts={[
        [t('queued'), formatCount(data.queued, QUEUED_MAX)],
        [t('oldest'), data.oldest_seconds === 0 ? '–' : formatDuration(data.oldest_seconds * 1000)],
      ]}
    />
  )
}
