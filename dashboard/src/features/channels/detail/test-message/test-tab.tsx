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
import { CheckField, TextArea, TextField } from '../../../../ui/controls/field.tsx'
import { Segmented } from '../../../../ui/controls/segmented.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import {
  canGoByMarketing,
  createKey,
  type Draft,
  EMPTY_DRAFT,
  readTarget,
  type TestRequest,
  toRequest,
} from './draft.ts'
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
    mutationFn: (request: TestRequest) => sendRequest(channel.id, request, key),
    onSuccess: () => client.invalidateQueries({ queryKey: ['messages'] }),
    onError(error) {
      if (isSettled(error)) setKey(createKey())
    },
  })
  const { name, phone } = FIRST_CUSTOMER
  const personHint = useSandbox() ? t('recipientSandbox', { name, number: formatPhone(phone) }) : t('recipientHint')
  const { isToGroup } = draft
  const target = readTarget(draft)
  const isConnected = channel.phone_number_id !== null
  const hasWrongRecipient = draft.to !== '' && target === undefined

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
          <Segmented
            label={t('sendTo')}
            value={isToGroup ? 'group' : 'person'}
            options={(['person', 'group'] as const).map((value) => ({ value, label: t(`sendTo.${value}`) }))}
            onChange={(value) => change({ isToGroup: value === 'group', to: '' })}
          />
          <TextField
            className="w-full"
            label={isToGroup ? t('group') : t('recipient')}
            hint={isToGroup ? t('groupHint') : personHint}
            error={hasWrongRecipient ? (isToGroup ? t('groupWrong') : t('recipientWrong')) : undefined}
            autoComplete={isToGroup ? 'off' : 'tel'}
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
              {!isToGroup && (
                <WindowNotice channel={channel} to={target} onUseTemplate={() => change({ kind: 'template' })} />
              )}
            </>
          ) : (
            <TemplateForm channel={channel} chosenId={template} draft={draft} onChange={change} />
          )}
          {canGoByMarketing(draft) && (
            <CheckField
              label={t('marketing')}
              hint={t('marketingHint')}
              checked={draft.isByMarketing}
              onChange={(event) => change({ isByMarketing: event.target.checked })}
            />
          )}
          <div>
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium text-text">{t('key')}</span>
              <Id id={key} />
            </p>
            <p className="text-meta text-text-3">{t('keyText')}</p>
          </div>
          {/* Each is an element of its own: one that turned into the other within its click would submit the form. */}
          {send.isSuccess ? (
            <Button key="again" icon="plus" onClick={writeAnother}>
              {t('again')}
            </Button>
          ) : (
            <Button
              key="send"
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

function sendRequest(channelId: string, request: TestRequest, idempotencyKey: string) {
  const { messages } = hub
  if (request.route === 'group') return messages.sendToGroup(channelId, request.id, request.body, { idempotencyKey })
  if (request.route === 'contact')
    return messages.sendToContact(channelId, request.id, request.body, { idempotencyKey })
  if (request.route === 'marketing') return messages.sendMarketing(channelId, request.body, { idempotencyKey })
  return messages.send(channelId, request.body, { idempotencyKey })
}
