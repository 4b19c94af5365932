import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRefusal } from '../../../api/permissions.ts'
import { useFileExport } from '../../../lib/use-file-export.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CheckField } from '../../../ui/controls/field.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FileProgress } from '../../../ui/states/file-progress.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import type { LogFilters } from '../search.ts'
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
  const { run, progress, error, stop } = useFileExport({
    name: 'messages',
    extension: format,
    request: (signal) => hub.console.exportMessages({ ...filters, format, content: withContent }, { signal }),
  })
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
          <Button onClick={stop}>{t('stop')}</Button>
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
        {(run.isPending || run.isSuccess) && <FileProgress isDone={run.isSuccess} {...progress} />}
        {error && <FailureNotice error={error} />}
      </div>
    </Dialog>
  )
}
