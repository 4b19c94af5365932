import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Card, Facts } from '../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { Notice } from '../../../ui/states/notice.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { usePrivacyTexts } from '../privacy-texts.ts'
import { erasuresQuery } from './erasures-query.ts'

const route = getRouteApi('/shell/privacy')

/** From a number or a user id to what would go, and from there to the erasure. */
export function EraseCard({ organizationId }: { organizationId: string }) {
  const t = usePrivacyTexts()
  const client = useQueryClient()
  const { by = 'phone' } = route.useSearch()
  const navigate = route.useNavigate()
  const refusal = useRoleRefusal('admin')
  const [typed, setTyped] = useState('')
  const [isConfirming, setConfirming] = useState(false)
  const person = { [by]: typed.trim() }
  const preview = useMutation({ mutationFn: () => hub.console.previewErasure(organizationId, person) })
  const erase = useMutation({
    mutationFn: () => hub.console.erasePerson(organizationId, person),
    async onSuccess() {
      setConfirming(false)
      change('')
      showToast(t('started'))
      await client.invalidateQueries({ queryKey: erasuresQuery(organizationId).queryKey })
    },
  })

  /** The counts belong to what was typed then. */
  function change(text: string): void {
    setTyped(text)
    preview.reset()
    erase.reset()
  }

  return (
    <Card title={t('erase')}>
      <form
        className="flex max-w-2xl flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (refusal === undefined && typed.trim() !== '') preview.mutate()
        }}
      >
        <p>{t('eraseText')}</p>
        <Segmented
          label={t('by')}
          value={by}
          options={[
            { value: 'phone', label: t('phone') },
            { value: 'user_id', label: t('userId') },
          ]}
          onChange={(value) => {
            change('')
            void navigate({ search: value === 'user_id' ? { by: value } : {}, replace: true })
          }}
        />
        <TextField
          className="w-full max-w-sm"
          label={by === 'phone' ? t('phone') : t('userId')}
          hint={by === 'phone' ? t('phoneHint') : t('userIdHint')}
          value={typed}
          disabled={refusal !== undefined}
          inputMode={by === 'phone' ? 'tel' : 'text'}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
        <Button type="submit" icon="search" reason={refusal} isBusy={preview.isPending} disabled={typed.trim() === ''}>
          {t('preview')}
        </Button>
        {preview.error && <FailureNotice error={preview.error} />}
        {preview.data && (
          <div role="status" className="flex flex-col items-start gap-4">
            <Facts
              facts={[
                [t('messagesReceived'), preview.data.counts.messages_received],
                [t('messagesSent'), preview.data.counts.messages_sent],
                [t('events'), preview.data.counts.events],
                [t('finalDeliveries'), preview.data.counts.deliveries],
                [t('openDeliveries'), preview.data.counts.open_deliveries],
              ]}
            />
            {preview.data.complete && isEmpty(preview.data.counts) && (
              <Notice tone="warn" title={t('nothingFound')}>
                {by === 'phone' ? t('nothingFoundPhone') : t('nothingFoundUserId')}
              </Notice>
            )}
            {!preview.data.complete && <Notice tone="warn" title={t('incomplete')} />}
            <Button kind="danger" icon="trash" reason={refusal} onClick={() => setConfirming(true)}>
              {t('eraseStart')}
            </Button>
          </div>
        )}
      </form>
      {isConfirming && (
        <ConfirmDialog
          title={t('confirmTitle')}
          action={t('eraseStart')}
          name={typed.trim()}
          isBusy={erase.isPending}
          error={erase.error && <FailureNotice error={erase.error} />}
          onConfirm={() => erase.mutate()}
          onClose={() => setConfirming(false)}
        >
          <p>{t('confirmText')}</p>
          <p>{t('confirmStays')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function isEmpty(counts: Record<string, number>): boolean {
  return Object.values(counts).every((count) => count === 0)
}
