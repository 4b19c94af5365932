import type { AddressedMessageBody, MessageBody } from '@hubline/sdk'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Id } from '../../../ui/controls/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { usePersonText } from '../person.tsx'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'

const route = getRouteApi('/shell/messages')

/** Random, since the key of the first send would only repeat its answer. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `again-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** A second message with the same content, under a key of its own. */
export function SendAgainDialog({ message, onClose }: { message: MessageDetail; onClose: () => void }) {
  const t = useDrawerTexts()
  const u = useUiTexts()
  const navigate = route.useNavigate()
  const person = usePersonText()(message.person)
  const [idempotencyKey] = useState(createKey)
  const send = useMutation({
    async mutationFn() {
      const { content } = await hub.console.revealMessage(message.id)
      const { phone, user_id } = message.person
      const body = { type: message.type, [message.type]: content }
      const sent =
        phone === null && user_id !== null
          ? hub.messages.sendToContact(message.channel_id, user_id, body as AddressedMessageBody, { idempotencyKey })
          : hub.messages.send(message.channel_id, { to: phone, ...body } as MessageBody, { idempotencyKey })
      return (await sent).message
    },
  })
  if (send.isSuccess) {
    return (
      <Dialog
        title={t('sendAgainTitle')}
        onClose={onClose}
        footer={
          <>
            <Button onClick={onClose}>{u('close')}</Button>
            <Button
              kind="primary"
              onClick={() => {
                onClose()
                void navigate({ search: (before) => ({ ...before, open: send.data.id }) })
              }}
            >
              {t('openNew')}
            </Button>
          </>
        }
      >
        <p className="flex items-center gap-2 text-text">
          <Icon name="ring-tick" className="text-ok" />
          {t('sentAgain')} <Id id={send.data.id} isShort />
        </p>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={t('sendAgainTitle')}
      action={t('sendTo', { person })}
      isBusy={send.isPending}
      error={send.error && <FailureNotice error={send.error} />}
      onConfirm={() => send.mutate()}
      onClose={onClose}
    >
      <p>{t('sendAgainText', { person })}</p>
      <p>{t('sendAgainReveal')}</p>
      <p className="flex flex-wrap items-center gap-2">
        {t('newKey')} <Id id={idempotencyKey} />
      </p>
    </ConfirmDialog>
  )
}
