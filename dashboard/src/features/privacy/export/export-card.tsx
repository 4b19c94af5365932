import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { collectFile, type Progress } from '../../../lib/collect-file.ts'
import { formatBytes } from '../../../lib/format.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { usePrivacyTexts } from '../privacy-texts.ts'
import { isWhole } from './last-line.ts'

/** One file with everything, and how far it is. */
export function ExportCard({ organizationId }: { organizationId: string }) {
  const t = usePrivacyTexts()
  const refusal = useRoleRefusal('owner')
  const [progress, setProgress] = useState<Progress>({ lines: 0, bytes: 0 })
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const settings = useQuery({
    queryKey: ['settings', organizationId],
    queryFn: () => hub.console.showSettings(organizationId),
  })
  const days = settings.data?.settings.retention
  const run = useMutation({
    async mutationFn() {
      stopping.current = new AbortController()
      setProgress({ lines: 0, bytes: 0 })
      const response = await hub.console.exportOrganization(organizationId, { signal: stopping.current.signal })
      const file = await collectFile(response, setProgress)
      if (!(await isWhole(file))) throw new Error(t('exportCut'))
      saveFile(file, `organization-${new Date().toISOString().slice(0, 10)}.jsonl`)
    },
  })
  const isStopped = run.isError && stopping.current.signal.aborted
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
        {(run.isPending || run.isSuccess) && (
          <p role="status" className="flex items-center gap-2">
            <Icon name={run.isSuccess ? 'ring-tick' : 'arc'} className={run.isSuccess ? 'text-ok' : 'turning'} />
            <span>
              {run.isSuccess ? t('exportDone') : t('exportRunning')}{' '}
              <span className="text-text-3">
                {t('exportProgress', { count: progress.lines, size: formatBytes(progress.bytes) })}
              </span>
            </span>
          </p>
        )}
        {run.isError && !isStopped && <FailureNotice error={run.error} />}
        {run.isPending ? (
          <Button onClick={() => stopping.current.abort()}>{t('exportStop')}</Button>
        ) : (
          <Button icon="download" reason={refusal} onClick={() => run.mutate()}>
            {t('exportStart')}
          </Button>
        )}
      </div>
    </Card>
  )
}
