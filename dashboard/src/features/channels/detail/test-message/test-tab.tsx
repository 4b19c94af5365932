import { HubError } from '@hubline/sdk'
import type { Channel } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hub } from '../../../../api/hub.ts'
import { FIRST_CUSTOMER } from '../../../../api/sandbox.ts'
import { useSandbox } from '../../../../api/setup.ts'
import { useSendRefusal } from '../../../../api/subscription.ts'
import { useApiExample } from '../../../../lib/api-example.ts'
import { formatPhone } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Id } from '../../../../ui/controls/copy.tsx'
import { TextArea, TextField } from '../../../../ui/controls/field.tsx'
import { Segmented } from '../../../../ui/controls/segmented.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { createKey, type Draft, EMPTY_DRAFT, readRecipient, type TestRequest, toRequest } from './draft.ts'
import { ExchangeCard } from './exchange-card.tsx'
import { MessagePreview } from './message-preview.tsx'
import { TemplateForm } from './template-form.tsx'
import { useTestTexts } from './test-texts.ts'
import { WindowNotice } from './window-notice.tsx'

const route = getRouteApi('/shell/channels/$channelId')

/** A repetition with the same key is safe; only an answer about the message itself ends the key. */
function isSettled(error: unknown): boolean {
  return (
    error instanceof HubError &&
    error.status !== null &&
    error.status < 500 &&
    error.status !== 409 &&
    error.status !== 429
  )
}

export function TestTab({ channel }: { channel: Channel }) {
  const t = useTestTexts()
  const client = useQueryClient()
  const refusal = useSendRefusal()
  const { template } = route.useSearch()
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, ...(template !== undefined && { kind: 'template' }) })
  const [key, setKey] = useState(createKey)
  const request = toRequest(draft)
  useApiExample({
    method: 'POST',
    path: `/api/v1/channels/${channel.id}/messages`,
    // The example of the API does not repeat what the person writes.
    body: { to: '5511987654321', type: 'text', text: { body: 'Olá!' } },
    sdk: `const { message } = await hub.messages.send('${channel.id}', {\n  to: '5511987654321',\n  type: 'text',\n  text: { body: 'Olá!' },\n})`,
  })
  const send = useMutation({
    mutationFn: ({ userId, body }: TestRequest) =>
      userId === null
        ? hub.messages.send(channel.id, body, { idempotencyKey: key })
        : hub.messages.sendToContact(channel.id, userId, body, { idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['messages'] }),
    onError(error) {
      if (isSettled(error)) setKey(createKey())
    },
  })
  const { name, phone } = FIRST_CUSTOMER
  const hint = useSandbox() ? t('recipientSandbox', { name, number: formatPhone(phone) }) : t('recipientHint')
  const isConnected = channel.phone_number_id !== null
  const hasWrongRecipient = draft.to !== '' && readRecipient(draft.to) === undefined

  function change(changes: Partial<Draft>): void {
    setDraft({ ...draft, ...changes })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (request !== undefined) send.mutate(request)
  }
  function writeAnother(): void {
    send.reset()
    setKey(createKey())
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_280px_minmax(0,1fr)] items-start gap-4 max-desktop:grid-cols-1">
      <Card title={t('message')}>
        <form onSubmit={submit} className="flex flex-col items-start gap-4">
          <TextField
            className="w-full"
            label={t('recipient')}
            hint={hint}
            error={hasWrongRecipient ? t('recipientWrong') : undefined}
            autoComplete="tel"
            spellCheck={false}
            required
            value={draft.to}
            onChange={(event) => change({ to: event.target.value })}
          />
          <Segmented
            label={t('kind')}
            value={draft.kind}
            options={(['text', 'template'] as const).map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={(kind) => change({ kind })}
          />
          {draft.kind === 'text' ? (
            <>
              <TextArea
                className="w-full"
                label={t('text')}
                required
                maxLength={4096}
                value={draft.text}
                onChange={(event) => change({ text: event.target.value })}
              />
              <WindowNotice
                channel={channel}
                to={readRecipient(draft.to)}
                onUseTemplate={() => change({ kind: 'template' })}
              />
            </>
          ) : (
            <TemplateForm channel={channel} chosenId={template} draft={draft} onChange={change} />
          )}
          <div>
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium text-text">{t('key')}</span>
              <Id id={key} />
            </p>
            <p className="text-meta text-text-3">{t('keyText')}</p>
          </div>
          {send.isSuccess ? (
            <Button icon="plus" onClick={writeAnother}>
              {t('again')}
            </Button>
          ) : (
            <Button
              type="submit"
              kind="primary"
              icon="send"
              isBusy={send.isPending}
              reason={refusal ?? (isConnected ? undefined : t('notConnected'))}
            >
              {t('send')}
            </Button>
          )}
        </form>
      </Card>
      <MessagePreview channel={channel} draft={draft} />
      <ExchangeCard
        channelId={channel.id}
        idempotencyKey={key}
        request={send.isSuccess ? send.variables : request}
        sent={send.data?.message}
        error={send.error}
      />
    </div>
  )
}
