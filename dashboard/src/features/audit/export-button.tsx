import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../api/hub.ts'
import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useAuditTexts } from './audit-texts.ts'

type Query = Parameters<typeof hub.auditLog.list>[0]

/** Every entry that the filters let through, one JSON object a line. */
export function ExportButton({ query }: { query: Query }) {
  const t = useAuditTexts()
  const [count, setCount] = useState(0)
  const save = useMutation({
    mutationFn: async () => {
      const lines: string[] = []
      for await (const entry of hub.auditLog.list({ ...query, limit: 100 })) {
        lines.push(`${JSON.stringify(entry)}\n`)
        if (lines.length % 100 === 0) setCount(lines.length)
      }
      saveFile(new Blob(lines, { type: 'application/x-ndjson' }), 'audit-log.jsonl')
    },
    onSettled: () => setCount(0),
  })
  return (
    <>
      <Button icon="download" isBusy={save.isPending} onClick={() => save.mutate()}>
        {save.isPending ? t('exporting', { count }) : t('export')}
      </Button>
      {save.error && <FailureNotice error={save.error} />}
    </>
  )
}
