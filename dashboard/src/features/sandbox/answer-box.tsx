import type { AddressedMessageBody, MessageBody } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { hub } from '../../api/hub.ts'
import { useSendRefusal } from '../../api/subscription.ts'
import { writeCurl } from '../../lib/api-example.ts'
import type { Translate } from '../../lib/texts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { CodeTabs } from '../../ui/data/code.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { sandboxKey } from './queries.ts'
import { useSandboxTexts } from './sandbox-texts.ts'
import { noteTime } from './stream/own-times.ts'
import type { Customer } from './use-customer.ts'

const ANSWER_TYPES = ['text', 'buttons', 'list'] as const
type AnswerType = (typeof ANSWER_TYPES)[number]

type Words = 'yes' | 'no' | 'choose' | 'options' | 'option.one' | 'option.two' | 'option.three'

type AnswerBoxProps = { channelId: string; customer: Customer; onSent: () => void }

/** Answers as your code would: the call of the API, and a button that makes it with the session. */
export function AnswerBox({ channelId, customer, onSent }: AnswerBoxProps) {
  const t = useSandboxTexts()
  const client = useQueryClient()
  const refusal = useSendRefusal()
  const [type, setType] = useState<AnswerType>('text')
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const text = typed.trim() === '' ? t('sampleAnswer') : typed.trim()
  const call = buildCall(channelId, customer, buildAnswer(type, text, t))
  const send = useMutation({
    async mutationFn() {
      const begun = performance.now()
      const { message } = await call.send()
      noteTime(message.id, performance.now() - begun)
    },
    onSuccess() {
      setTyped('')
      onSent()
      return client.invalidateQueries({ queryKey: sandboxKey(channelId) })
    },
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!send.isPending && refusal === undefined) send.mutate()
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
      {send.error && <FailureNotice error={send.error} />}
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

/** The request that sends the answer: to the user id if the customer hides the phone number. */
function buildCall(channelId: string, { phone, user_id, hides_phone }: Customer, answer: AddressedMessageBody) {
  const path = `/api/v1/channels/${channelId}`
  if (hides_phone && user_id !== null) {
    return {
      path: `${path}/contacts/${user_id}/messages`,
      body: answer,
      sdk: `await hub.messages.sendToContact('${channelId}', '${user_id}', ${JSON.stringify(answer, null, 2)})`,
      send: () => hub.messages.sendToContact(channelId, user_id, answer),
    }
  }
  const body: MessageBody = { to: phone, ...answer }
  return {
    path: `${path}/messages`,
    body,
    sdk: `await hub.messages.send('${channelId}', ${JSON.stringify(body, null, 2)})`,
    send: () => hub.messages.send(channelId, body),
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
