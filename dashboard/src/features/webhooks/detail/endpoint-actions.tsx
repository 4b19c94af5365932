import type { Webhook } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { testAllowanceQuery, webhooksQuery } from '../../../api/webhooks.ts'
import { formatClock } from '../../../lib/format.ts'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { Menu } from '../../../ui/controls/menu.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { EndpointDialog } from '../edit/endpoint-dialog.tsx'
import { type ShownSecret, WebhookSecretSheet } from '../secret-sheet.tsx'
import { useWebhooksTexts } from '../webhooks-texts.ts'
import { RecoverDialog } from './recover-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useStatusChange } from './use-status-change.ts'

type Open = 'edit' | 'delete' | 'pause' | 'disable' | 'rotate' | 'recover'

export function EndpointActions({ webhook }: { webhook: Webhook }) {
  const t = useWebhooksTexts()
  const u = useUiTexts()
  const [open, setOpen] = useState<Open>()
  const [rotated, setRotated] = useState<ShownSecret>()
  const { setStatus, refusal } = useStatusChange(webhook.id)
  const close = () => setOpen(undefined)
  const isActive = webhook.status === 'active'
  return (
    <>
      <Button
        kind={isActive ? 'secondary' : 'primary'}
        icon={isActive ? 'pause' : 'play'}
        isBusy={setStatus.isPending}
        disabled={refusal !== undefined}
        onClick={() => (isActive ? setOpen('pause') : setStatus.mutate('active'))}
      >
        {isActive ? t('pause') : t('resume')}
      </Button>
      <Button icon="key" disabled={refusal !== undefined} onClick={() => setOpen('rotate')}>
        {t('rotate')}
      </Button>
      <TestButton webhook={webhook} isRefused={refusal !== undefined} />
      <Button disabled={refusal !== undefined} onClick={() => setOpen('edit')}>
        {t('edit')}
      </Button>
      <Menu
        align="end"
        trigger={<IconButton icon="dots" label={u('more')} disabled={refusal !== undefined} />}
        items={[
          { label: t('recover'), icon: 'replay', isDisabled: !isActive, onSelect: () => setOpen('recover') },
          {
            label: t('disable'),
            icon: 'ring-minus',
            isDisabled: webhook.status === 'disabled',
            onSelect: () => setOpen('disable'),
          },
          { label: t('delete'), icon: 'trash', isDanger: true, onSelect: () => setOpen('delete') },
        ]}
      />
      {refusal !== undefined && <span className="text-meta text-text-3">{refusal}</span>}
      {setStatus.error && open === undefined && <FailureNotice error={setStatus.error} />}
      {open === 'edit' && <EndpointDialog webhook={webhook} onClose={close} />}
      {open === 'recover' && <RecoverDialog webhook={webhook} onClose={close} />}
      {open === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateDialog webhook={webhook} onRotated={setRotated} onClose={close} />}
      {(open === 'pause' || open === 'disable') && (
        <ConfirmDialog
          isDanger
          title={t(`${open}Title`)}
          action={t(open)}
          isBusy={setStatus.isPending}
          error={setStatus.error && <FailureNotice error={setStatus.error} />}
          onConfirm={() => setStatus.mutate(open === 'pause' ? 'paused' : 'disabled', { onSuccess: close })}
          onClose={close}
        >
          {t(`${open}Text`)}
        </ConfirmDialog>
      )}
      {rotated && <WebhookSecretSheet shown={rotated} onDone={() => setRotated(undefined)} />}
    </>
  )
}

/** Sends a test, as often as the hour allows. */
function TestButton({ webhook, isRefused }: { webhook: Webhook; isRefused: boolean }) {
  const t = useWebhooksTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: allowance } = useQuery(testAllowanceQuery(webhook.id))
  const test = useMutation({
    mutationFn: () => hub.webhooks.test(webhook.id),
    onSuccess({ delivery_id }) {
      showToast(t('tested'))
      void navigate({
        to: '/webhooks/$webhookId',
        params: { webhookId: webhook.id },
        search: { open: delivery_id },
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks', webhook.id] }),
  })
  const isUsedUp = allowance?.remaining === 0
  const isActive = webhook.status === 'active'
  return (
    <>
      <Button
        icon="send"
        isBusy={test.isPending}
        disabled={isRefused || isUsedUp}
        reason={isActive ? undefined : t('notActive')}
        onClick={() => test.mutate()}
      >
        {t('sendTest')}
        {allowance && isActive && (
          <span className="font-normal text-text-3">
            {isUsedUp && allowance.resets_at
              ? t('testsReset', { at: formatClock(allowance.resets_at, 'minute') })
              : t('testsLeft', { remaining: allowance.remaining, limit: allowance.limit })}
          </span>
        )}
      </Button>
      {test.error && <FailureNotice error={test.error} />}
    </>
  )
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useWebhooksTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => hub.webhooks.delete(webhook.id),
    async onSuccess() {
      showToast(t('deleted'))
      await navigate({ to: '/webhooks', search: {} })
      client.removeQueries({ queryKey: ['webhooks', webhook.id] })
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
    },
  })
  return (
    <ConfirmDialog
      title={t('deleteTitle')}
      action={t('delete')}
      name={webhook.name}
      isBusy={remove.isPending}
      error={remove.error && <FailureNotice error={remove.error} />}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('deleteText')}
    </ConfirmDialog>
  )
}
