import type { Webhook } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { webhooksQuery } from '../../../api/webhooks.ts'
import { SelectField } from '../../../ui/controls/field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import type { ShownSecret } from '../secret-sheet.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'

const OVERLAP_SECONDS = { overlapNone: 0, overlapHour: 3600, overlapDay: 86_400 } as const
type Overlap = keyof typeof OVERLAP_SECONDS

type RotateDialogProps = { webhook: Webhook; onRotated: (secret: ShownSecret) => void; onClose: () => void }

/** Replaces the secret, at once or with a time in which the old one signs too. */
export function RotateDialog({ webhook: { id, name }, onRotated, onClose }: RotateDialogProps) {
  const t = useWebhooksTexts()
  const client = useQueryClient()
  const [overlap, setOverlap] = useState<Overlap>('overlapNone')
  const rotate = useMutation({
    mutationFn: () => hub.webhooks.rotateSecret(id, { overlap_seconds: OVERLAP_SECONDS[overlap] }),
    async onSuccess({ secret, previous_valid_until: previousValidUntil }) {
      onClose()
      onRotated({ id, name, secret, previousValidUntil })
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
    },
  })
  return (
    <ConfirmDialog
      isDanger
      title={t('rotateTitle')}
      action={t('rotate')}
      isBusy={rotate.isPending}
      error={rotate.error && <FailureNotice error={rotate.error} />}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <p>{t('rotateText')}</p>
      <SelectField
        label={t('rotateOverlap')}
        value={overlap}
        onChange={({ target }) => setOverlap(target.value as Overlap)}
      >
        {(Object.keys(OVERLAP_SECONDS) as Overlap[]).map((one) => (
          <option key={one} value={one}>
            {t(one)}
          </option>
        ))}
      </SelectField>
      <p role="status">{t(overlap === 'overlapNone' ? 'rotateHint.none' : 'rotateHint.overlap')}</p>
    </ConfirmDialog>
  )
}
