import type { Webhook } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { SelectField } from '../../../ui/controls/field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'

const HOUR_MS = 3_600_000
const PERIODS = {
  recoverHour: HOUR_MS,
  recoverDay: 24 * HOUR_MS,
  recoverWeek: 7 * 24 * HOUR_MS,
  recoverAll: Number.POSITIVE_INFINITY,
} as const
type Period = keyof typeof PERIODS

function toSince(period: Period): string {
  return new Date(Math.max(0, Date.now() - PERIODS[period])).toISOString()
}

/** Sends what did not arrive again, and says before how much that is. */
export function RecoverDialog({ webhook: { id }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useWebhooksTexts()
  const client = useQueryClient()
  const [period, setPeriod] = useState<Period>('recoverDay')
  const [since, setSince] = useState(toSince(period))
  const counted = useQuery({
    queryKey: ['webhooks', id, 'recoverable', since],
    queryFn: () => hub.console.countRecoverable(id, { since }),
  })
  const recover = useMutation({
    mutationFn: () => hub.webhooks.recoverDeliveries(id, { since }),
    async onSuccess({ queued }) {
      await client.invalidateQueries({ queryKey: ['webhooks', id] })
      showToast(t('recovered', { count: queued }))
      onClose()
    },
  })
  const count = counted.data?.count ?? 0
  const error = counted.error ?? recover.error
  return (
    <ConfirmDialog
      title={t('recoverTitle')}
      action={t('recoverAction', { count })}
      isBusy={recover.isPending || counted.isPending}
      isDisabled={count === 0}
      error={error && <FailureNotice error={error} />}
      onConfirm={() => recover.mutate()}
      onClose={onClose}
    >
      <p>{t('recoverText')}</p>
      <SelectField
        label={t('recoverSince')}
        value={period}
        onChange={({ target }) => {
          setPeriod(target.value as Period)
          setSince(toSince(target.value as Period))
        }}
      >
        {(Object.keys(PERIODS) as Period[]).map((one) => (
          <option key={one} value={one}>
            {t(one)}
          </option>
        ))}
      </SelectField>
      {counted.data && (
        <p role="status" className="font-medium text-text">
          {count === 0 ? t('recoverNone') : t('recoverCount', { count })}
        </p>
      )}
    </ConfirmDialog>
  )
}
