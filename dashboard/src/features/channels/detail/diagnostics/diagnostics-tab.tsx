import type { Channel, Check } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { useSandbox } from '../../../../api/setup.ts'
import { useApiExample } from '../../../../lib/api-example.ts'
import { formatDuration } from '../../../../lib/format.ts'
import { Button, ButtonLink } from '../../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../../ui/controls/copy.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { Age, Time } from '../../../../ui/data/time.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { ErrorState, Skeleton } from '../../../../ui/states/list-states.tsx'
import { CheckLine } from './check-line.tsx'
import { type Diagnosis, diagnosticsQuery } from './diagnostics-query.ts'
import { useDiagnosticsTexts } from './diagnostics-texts.ts'
import { WorksCard } from './works-card.tsx'

export function DiagnosticsTab({ channel }: { channel: Channel }) {
  const t = useDiagnosticsTexts()
  const query = useQuery(diagnosticsQuery(channel.id))
  useApiExample({
    method: 'GET',
    path: `/api/v1/channels/${channel.id}/diagnostics`,
    sdk: `const { diagnostics } = await hub.channels.diagnose('${channel.id}')`,
  })
  if (query.isPending) {
    return (
      <div>
        <p className="pb-2">{t('running')}</p>
        <Skeleton rows={5} rowClass="h-16" />
      </div>
    )
  }
  if (query.isError) {
    return <ErrorState title={t('failed')} error={query.error} onRetry={() => void query.refetch()} />
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_304px] items-start gap-6 max-desktop:grid-cols-1">
      <div className="flex min-w-0 flex-col gap-5">
        <Heading diagnosis={query.data} isRunning={query.isFetching} onRun={() => void query.refetch()} />
        <CheckLine channelId={channel.id} checks={query.data.checks} />
        <Prove channelId={channel.id} />
      </div>
      <div className="flex flex-col gap-4">
        <WorksCard checks={query.data.checks} />
        <Card title={t('help')}>
          <div className="flex flex-col items-start gap-3">
            <p>{t('helpText')}</p>
            <CopyTextButton text={writeReport(channel, query.data)} label={t('copyReport')} />
          </div>
        </Card>
      </div>
    </div>
  )
}

type HeadingProps = { diagnosis: Diagnosis; isRunning: boolean; onRun: () => void }

function Heading({ diagnosis, isRunning, onRun }: HeadingProps) {
  const t = useDiagnosticsTexts()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <h2 className="text-section font-semibold text-text">{useSummary(diagnosis.checks)}</h2>
      <span className="text-meta text-text-3">
        {t('checked')} <Time at={diagnosis.checked_at} precision="second" /> · <Age at={diagnosis.checked_at} /> ·{' '}
        {t('took', { time: formatDuration(diagnosis.tookMs) })}
      </span>
      <span className="ml-auto max-tablet:ml-0">
        <Button icon="refresh" isBusy={isRunning} onClick={onRun}>
          {t('runAgain')}
        </Button>
      </span>
    </div>
  )
}

function useSummary(checks: readonly Check[]): string {
  const t = useDiagnosticsTexts()
  const total = checks.length
  const failing = checks.filter(({ status }) => status === 'failing').length
  const warnings = checks.filter(({ status }) => status === 'warning').length
  if (failing > 0) return t('someFailing', { count: failing, total })
  return warnings > 0 ? t('someWarning', { count: warnings, total }) : t('allOk', { total })
}

function Prove({ channelId }: { channelId: string }) {
  const t = useDiagnosticsTexts()
  return (
    <div className="flex flex-wrap items-center gap-4 rounded-card border border-line px-4 py-3">
      <Icon name="send" className="text-text-3" />
      <div className="min-w-56 flex-1">
        <p className="font-medium text-text">{t('prove')}</p>
        <p>{useSandbox() ? t('proveSandbox') : t('proveText')}</p>
      </div>
      <ButtonLink to="/channels/$channelId" params={{ channelId }} search={{ tab: 'test' }}>
        {t('sendTest')}
      </ButtonLink>
    </div>
  )
}

/** For the person who helps: in English, as the log is. */
function writeReport(channel: Channel, { checked_at, overall, checks }: Diagnosis): string {
  const head = [
    `Hubline diagnostics: ${overall}, ${checked_at}`,
    `channel ${channel.id} (${channel.status})`,
    `phone_number_id ${channel.phone_number_id ?? '-'}, waba_id ${channel.waba_id ?? '-'}`,
  ]
  const lines = checks.map(
    ({ id, status, message, remedy }) => `${id}: ${status}. ${message}${remedy ? ` ${remedy}` : ''}`,
  )
  return [...head, ...lines].join('\n')
}
