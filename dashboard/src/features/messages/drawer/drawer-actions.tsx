import type { RevealedMessage } from '@hubline/sdk/console'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { useSendRefusal } from '../../../api/subscription.ts'
import { writeCurl } from '../../../lib/api-example.ts'
import { isUserId } from '../../../lib/user-id.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyTextButton } from '../../../ui/controls/copy.tsx'
import { Kbd } from '../../../ui/controls/filters.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { showToast } from '../../../ui/states/toasts.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useDrawerTexts } from './drawer-texts.ts'
import type { MessageDetail } from './message-detail.ts'
import { SendAgainDialog } from './send-again-dialog.tsx'

/** Statuses of which it is certain that another send is a second message on purpose. */
const SETTLED = ['accepted', 'sent', 'delivered', 'read', 'failed']

type DrawerActionsProps = { message: MessageDetail; revealed: RevealedMessage | undefined }

export function DrawerActions({ message, revealed }: DrawerActionsProps) {
  const t = useDrawerTexts()
  const u = useUiTexts()
  const [isAsking, setAsking] = useState(false)
  const refusal = useSendRefusal()
  const { direction, status, has_content, person } = message
  const canBeRead = direction === 'inbound' && message.upstream_message_id !== null
  const canRepeat = direction === 'outbound' && SETTLED.includes(status) && has_content
  const reason = refusal ?? (person.phone === null && !isUserId(person.user_id ?? '') ? t('needsPhone') : undefined)
  return (
    <>
      {canBeRead && <ReadButton message={message} reason={refusal} />}
      {canRepeat && (
        <Button icon="replay" reason={reason} onClick={() => setAsking(true)}>
          {t('sendAgain')}
        </Button>
      )}
      <CopyTextButton size="normal" icon="terminal" text={writeMessageCurl(message, revealed)} label={u('copyCurl')} />
      <span className="ml-auto flex items-center gap-1 text-meta text-text-3 max-tablet:hidden">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd> {t('move')}
        <span className="ml-2">
          <Kbd>Esc</Kbd>
        </span>{' '}
        {t('close')}
      </span>
      {isAsking && <SendAgainDialog message={message} onClose={() => setAsking(false)} />}
    </>
  )
}

/** The person sees the receipt, so it is sent on request only. */
function ReadButton({ message, reason }: { message: MessageDetail; reason: string | undefined }) {
  const t = useDrawerTexts()
  const mark = useMutation({
    mutationFn: () => hub.messages.markRead(message.channel_id, message.id),
    onSuccess: () => showToast(t('markedRead')),
  })
  return (
    <>
      <Button icon="check-double" reason={reason} isBusy={mark.isPending} onClick={() => mark.mutate()}>
        {t('markRead')}
      </Button>
      {mark.isError && <FailureNotice error={mark.error} />}
    </>
  )
}

/** The request that sends such a message. What is hidden stays hidden here too. */
function writeMessageCurl(
  { channel_id, direction, type, template, person }: MessageDetail,
  revealed?: RevealedMessage,
) {
  const path = `/api/v1/channels/${channel_id}/messages`
  if (direction === 'inbound') return writeCurl({ method: 'GET', path: `${path}?direction=inbound` })
  const hidden = template ? { name: template.name, language: { code: template.language }, components: ['…'] } : '…'
  const body = { type, [type]: revealed?.content ?? hidden }
  if (person.phone === null && person.user_id !== null && isUserId(person.user_id)) {
    return writeCurl({
      method: 'POST',
      path: `/api/v1/channels/${channel_id}/contacts/${person.user_id}/messages`,
      body,
    })
  }
  return writeCurl({ method: 'POST', path, body: { to: person.phone, ...body } })
}
