import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useDeletionCancel } from '../../../api/organization-deletion.ts'
import { useRoleRefusal } from '../../../api/permissions.ts'
import { useSession } from '../../../api/session.ts'
import { subscriptionQuery } from '../../../api/subscription.ts'
import { formatLongMoment } from '../../../lib/format.ts'
import { Button, ButtonLink } from '../../../ui/controls/button.tsx'
import { Card } from '../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { type OrganizationSettings, useSettingsRefresh } from './settings-query.ts'
import { useSettingsTexts } from './settings-texts.ts'

const RENEWING: readonly string[] = ['active', 'past_due', 'suspended']

export function DangerCard({ settings }: { settings: OrganizationSettings }) {
  const t = useSettingsTexts()
  const refusal = useRoleRefusal('owner')
  const cancel = useDeletionCancel(() => showToast(t('kept')))
  const { data: billing } = useQuery(subscriptionQuery)
  const [isAsking, setAsking] = useState(false)
  const { status, cancels_at } = billing?.subscription ?? {}
  const isPaid = status !== undefined && RENEWING.includes(status) && cancels_at === null
  return (
    <Card title={t('danger')}>
      <div className="flex flex-col items-start gap-4">
        {settings.deletes_at !== null ? (
          <>
            <p>{t('pending', { date: formatLongMoment(settings.deletes_at) })}</p>
            {cancel.error && <FailureNotice error={cancel.error} />}
            <Button isBusy={cancel.isPending} reason={refusal} onClick={() => cancel.mutate()}>
              {t('keep')}
            </Button>
          </>
        ) : (
          <>
            <p>{t('deleteText')}</p>
            <div className="flex flex-wrap items-center gap-3">
              <Button
                kind="danger"
                icon="trash"
                reason={refusal ?? (isPaid ? t('paid') : undefined)}
                onClick={() => setAsking(true)}
              >
                {t('delete')}
              </Button>
              {isPaid && refusal === undefined && (
                <ButtonLink to="/usage" kind="quiet">
                  {t('billing')}
                </ButtonLink>
              )}
            </div>
          </>
        )}
      </div>
      {isAsking && <DeleteDialog name={settings.name} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useSettingsTexts()
  const { organization } = useSession()
  const refresh = useSettingsRefresh()
  const request = useMutation({
    mutationFn: () => hub.console.requestDeletion(organization.id, { name }),
    async onSuccess() {
      onClose()
      showToast(t('deleteRequested'))
      await refresh()
    },
  })
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name })}
      action={t('deleteAction')}
      name={name}
      isBusy={request.isPending}
      error={request.error && <FailureNotice error={request.error} />}
      onConfirm={() => request.mutate()}
      onClose={onClose}
    >
      <p>{t('deleteWaits')}</p>
      <p>{t('deleteThen')}</p>
      <p>{t('deletePeople')}</p>
    </ConfirmDialog>
  )
}
