import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { collectFile, type Progress } from '../../../lib/collect-file.ts'
import { formatBytes } from '../../../lib/format.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CheckField } from '../../../ui/controls/field.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import type { LogFilters } from '../log/message-query.ts'
import { useExportTexts } from './export-texts.ts'

const FORMATS = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSONL' },
] as const
type Format = (typeof FORMATS)[number]['value']

/** A file of the messages that the filters let through, with its progress. */
export function ExportDialog({ filters, onClose }: { filters: LogFilters; onClose: () => void }) {
  const t = useExportTexts()
  const u = useUiTexts()
  const refusal = useRefusal('messages:read')
  const [format, setFormat] = useState<Format>('csv')
  const [withContent, setWithContent] = useState(false)
  const [progress, setProgress] = useState<Progress>({ lines: 0, bytes: 0 })
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const run = useMutation({
    async mutationFn() {
      stopping.current = new AbortController()
      setProgress({ lines: 0, bytes: 0 })
      const query = { ...filters, format, content: withContent }
      const response = await hub.console.exportMessages(query, { signal: stopping.current.signal })
      saveFile(await collectFile(response, setProgress), `messages-${new Date().toISOString().slice(0, 10)}.${format}`)
    },
  })
  const isStopped = run.isError && stopping.current.signal.aborted
  return (
    <Dialog
      title={t('title')}
      description={t('text')}
      onClose={onClose}
      footer={
        run.isSuccess ? (
          <Button kind="primary" onClick={onClose}>
            {u('done')}
          </Button>
        ) : run.isPending ? (
          <Button onClick={() => stopping.current.abort()}>{t('stop')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{u('cancel')}</Button>
            <Button kind="primary" icon="download" reason={refusal} onClick={() => run.mutate()}>
              {t('start')}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col items-start gap-4">
        <Segmented label={t('format')} value={format} options={FORMATS} onChange={setFormat} />
        <CheckField
          label={t('content')}
          hint={t('contentHint')}
          checked={withContent}
          disabled={run.isPending}
          onChange={(event) => setWithContent(event.target.checked)}
        />
        {(run.isPending || run.isSuccess) && (
          <p role="status" className="flex items-center gap-2">
            <Icon name={run.isSuccess ? 'ring-tick' : 'arc'} className={run.isSuccess ? 'text-ok' : 'turning'} />
            <span>
              {run.isSuccess ? t('done') : t('running')}{' '}
              <span className="text-text-3">
                {t('progress', { count: progress.lines, size: formatBytes(progress.bytes) })}
              </span>
            </span>
          </p>
        )}
        {run.isError && !isStopped && <FailureNotice error={run.error} />}
      </div>
    </Dialog>
  )
}
