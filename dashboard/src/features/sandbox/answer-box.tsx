import { HubError } from '@hubline/sdk'
import type { AddressedMessageBody, MessageBody } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hub } from '../../api/hub.ts'
import { useSendRefusal } from '../../api/subscription.ts'
import { writeCurl } from '../../lib/api-example.ts'
import type { Translate } from '../../lib/texts.ts'
import { Button, ButtonLink } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { CodeTabs } from '../../ui/data/code.tsx'
import { useErrorText } from '../../ui/states/error-text.tsx'
import { Notice } from '../../ui/states/notice.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import type { Customer } from './customer.ts'
import { useDraft } from './drafts.ts'
import { useSandboxTexts } from './sandbox-texts.ts'
import { noteTime } from './stream/own-times.ts'
import { dropUnsent, keepUnsent, noteFailure, type Unsent, useUnsent } from './unsent.ts'
import { refreshConversation } from './use-customer.ts'

type SendOptions = { idempotencyKey?: string | undefined }

const ANSWER_TYPES = ['text', 'buttons', 'list'] as const
type AnswerType = (typeof ANSWER_TYPES)[number]

type Words = 'yes' | 'no' | 'choose' | 'options' | 'option.one' | 'option.two' | 'option.three'

type AnswerBoxProps = { channelId: string; customer: Customer; onSent: () => void }

/** Answers as your code would: the call of the API, and a button that makes it with the session. */
export function AnswerBox({ channelId, customer, onSent }: AnswerBoxProps) {
  const t = useSandboxTexts()
  const refusal = useSendRefusal()
  const [type, setType] = useState<AnswerType>('text')
  const [typed, setTyped] = useDraft('answer', channelId, customer.phone)
  const [isOpen, setOpen] = useState(false)
  const text = typed.trim() === '' ? t('sampleAnswer') : typed.trim()
  const call = buildCall(channelId, customer, buildAnswer(type, text, t))
  const send = useAnswer(channelId, onSent)
  const unsent = useUnsent('answer', channelId, customer.phone)
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (send.isPending || refusal !== undefined) return
    const answer = buildAnswer(type, text, t)
    setTyped('')
    send.mutateAsync({ customer, answer }).catch((error: unknown) => {
      keepUnsent({ kind: 'answer', channelId, customer, answer, text, error })
    })
  }
  return (
    <section
      aria-label={t('answer')}
      className="flex flex-col gap-2 border-t border-line bg-bg px-6 py-3 max-tablet:px-4"
    >
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
        <h2 className="text-section font-semibold text-text">{t('answer')}</h2>
        <input
          aria-label={t('answerTo', { name: customer.name })}
          placeholder={t('sampleAnswer')}
          value={typed}
          maxLength={1024}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 min-w-40 flex-1 rounded-control border border-ctl bg-surface px-3 text-text max-tablet:h-11"
        />
        <Segmented
          label={t('answerType')}
          value={type}
          options={ANSWER_TYPES.map((value) => ({ value, label: t(`answer.${value}`) }))}
          onChange={setType}
        />
        <Button type="submit" kind="primary" icon="send" isBusy={send.isPending} reason={refusal}>
          {t('sendAnswer')}
        </Button>
        <Button kind="quiet" icon="code" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('hideCall') : t('showCall')}
        </Button>
      </form>
      {unsent.map((one) => (
        <UnsentAnswer key={one.id} unsent={one} refusal={refusal} onSent={onSent} />
      ))}
      {isOpen && (
        <CodeTabs
          label={t('call')}
          samples={{
            curl: writeCurl({ method: 'POST', path: call.path, body: call.body }),
            TypeScript: call.sdk,
          }}
        />
      )}
    </section>
  )
}

type Answer = { customer: Customer; answer: AddressedMessageBody; idempotencyKey?: string }

function useAnswer(channelId: string, onSent: () => void) {
  const client = useQueryClient()
  return useMutation({
    async mutationFn({ customer, answer, idempotencyKey }: Answer) {
      const begun = performance.now()
      const { message } = await buildCall(channelId, customer, answer).send({ idempotencyKey })
      noteTime(message.id, performance.now() - begun)
    },
    onSuccess(_, { customer }) {
      onSent()
      return refreshConversation(client, channelId, customer.phone)
    },
  })
}

type UnsentAnswerProps = {
  unsent: Extract<Unsent, { kind: 'answer' }>
  refusal: string | undefined
  onSent: () => void
}

/** An answer that was not sent, and what can be done about it. One that may have been sent is not sent again. */
function UnsentAnswer({ unsent, refusal, onSent }: UnsentAnswerProps) {
  const t = useSandboxTexts()
  const u = useUiTexts()
  const { id, channelId, customer, answer, text, error } = unsent
  const { message, code } = useErrorText()(error)
  const send = useAnswer(channelId, onSent)
  const idempotencyKey = findOpenKey(error)
  function retry(): void {
    send.mutateAsync({ customer, answer, ...(idempotencyKey && { idempotencyKey }) }).then(
      () => dropUnsent(id),
      (failure: unknown) => noteFailure(id, failure),
    )
  }
  return (
    <Notice
      tone="danger"
      title={message}
      action={
        <span className="flex gap-2">
          <Button size="bar" onClick={() => dropUnsent(id)}>
            {t('dismiss')}
          </Button>
          {code === 'SEND_RESULT_UNKNOWN' ? (
            <ButtonLink size="bar" to="/messages" search={{ channel_id: channelId }}>
              {t('checkLog')}
            </ButtonLink>
          ) : (
            <Button size="bar" icon="refresh" isBusy={send.isPending} reason={refusal} onClick={retry}>
              {u('tryAgain')}
            </Button>
          )}
        </span>
      }
    >
      {text}
    </Notice>
  )
}

/** A request whose outcome is open is repeated under its key, so that it sends once. A refusal is the last word of its key. */
function findOpenKey(error: unknown): string | null {
  if (!(error instanceof HubError)) return null
  return error.status === null || error.status >= 500 ? error.idempotencyKey : null
}

/** The request that sends the answer: to the user id if the customer hides the phone number. */
function buildCall(channelId: string, { phone, user_id, hides_phone }: Customer, answer: AddressedMessageBody) {
  const path = `/api/v1/channels/${channelId}`
  if (hides_phone && user_id !== null) {
    return {
      path: `${path}/contacts/${user_id}/messages`,
      body: answer,
      sdk: `await hub.messages.sendToContact('${channelId}', '${user_id}', ${JSON.stringify(answer, null, 2)})`,
      send: (options: SendOptions) => hub.messages.sendToContact(channelId, user_id, answer, options),
    }
  }
  const body: MessageBody = { to: phone, ...answer }
  return {
    path: `${path}/messages`,
    body,
    sdk: `await hub.messages.send('${channelId}', ${JSON.stringify(body, null, 2)})`,
    send: (options: SendOptions) => hub.messages.send(channelId, body, options),
  }
}

/** The message that the answer box sends. Buttons and rows are samples. */
function buildAnswer(type: AnswerType, text: string, t: Translate<Words>): AddressedMessageBody {
  if (type === 'text') return { type: 'text', text: { body: text } }
  if (type === 'buttons') {
    const buttons = (['yes', 'no'] as const).map((id) => ({ type: 'reply' as const, reply: { id, title: t(id) } }))
    return { type: 'interactive', interactive: { type: 'button', body: { text }, action: { buttons } } }
  }
  const rows = (['one', 'two', 'three'] as const).map((id) => ({ id, title: t(`option.${id}`) }))
  const action = { button: t('choose'), sections: [{ title: t('options'), rows }] }
  return { type: 'interactive', interactive: { type: 'list', body: { text }, action } }
}
