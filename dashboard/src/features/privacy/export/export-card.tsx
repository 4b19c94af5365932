import { useQuery } from '@tanstack/react-query'
import { hub } from '../../../api/hub.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { settingsQuery } from '../../../api/settings.ts'
import { useFileExport } from '../../../lib/use-file-export.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { FileProgress } from '../../../ui/states/file-progress.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { usePrivacyTexts } from '../privacy-texts.ts'
import { isWhole } from './last-line.ts'

/** One file with everything, and how far it is. */
export function ExportCard({ organizationId }: { organizationId: string }) {
  const t = usePrivacyTexts()
  const refusal = useRoleRefusal('owner')
  const settings = useQuery(settingsQuery(organizationId))
  const days = settings.data?.retention
  const { run, progress, error, stop } = useFileExport({
    name: 'organization',
    extension: 'jsonl',
    request: (signal) => hub.console.exportOrganization(organizationId, { signal }),
    async check(file) {
      if (!(await isWhole(file))) throw new Error(t('exportCut'))
    },
  })
  return (
    <Card title={t('export')}>
      <div className="flex max-w-2xl flex-col items-start gap-4">
        <p>{t('exportText')}</p>
        <p className="text-text-3">
          {t('exportLeavesOut')}{' '}
          {days &&
            t('retention', {
              messages: t('days', { count: days.messages_days }),
              events: t('days', { count: days.events_days }),
              audit: t('days', { count: days.audit_days }),
            })}
        </p>
        {(run.isPending || run.isSuccess) && <FileProgress isDone={run.isSuccess} {...progress} />}
        {error && <FailureNotice error={error} />}
        {run.isPending ? (
          <Button onClick={stop}>{t('exportStop')}</Button>
        ) : (
          <Button icon="download" reason={refusal} onClick={() => run.mutate()}>
            {t('exportStart')}
          </Button>
        )}
      </div>
    </Card>
  )
}
