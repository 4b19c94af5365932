import { HubError } from '@hubline/sdk'
import type { Webhook } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { hub } from '../../../api/hub.ts'
import { webhooksQuery } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { Panes } from '../../../ui/overlays/panes.tsx'
import { useErrorText } from '../../../ui/states/error-text.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import type { ShownSecret } from '../secret-sheet.tsx'
import { ChannelChoice } from './channel-choice.tsx'
import { useEditTexts } from './edit-texts.ts'
import { EMPTY_FORM, type EndpointForm, toBody, toChanges, toForm } from './endpoint-form.ts'
import { EventPicker } from './event-picker.tsx'
import { FormatChoice } from './format-choice.tsx'

type EndpointDialogProps = {
  /** The endpoint that is changed; a new one without it. */
  webhook?: Webhook
  onCreated?: (secret: ShownSecret) => void
  onClose: () => void
}

export function EndpointDialog({ webhook, onCreated, onClose }: EndpointDialogProps) {
  const t = useEditTexts()
  const u = useUiTexts()
  const formId = useId()
  const client = useQueryClient()
  const [before] = useState(webhook ? toForm(webhook) : EMPTY_FORM)
  const [form, setForm] = useState<EndpointForm>(before)
  const [view, setView] = useState<'events' | 'payload'>('events')
  const save = useMutation({
    mutationFn: async () => {
      if (webhook === undefined) return hub.webhooks.create(toBody(form))
      const changes = toChanges(before, form)
      if (changes) await hub.webhooks.update(webhook.id, changes)
      return undefined
    },
    async onSuccess(created) {
      await client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
      if (created === undefined) return onClose()
      onCreated?.({ id: created.webhook.id, name: created.webhook.name, secret: created.secret })
    },
  })
  const readError = useErrorText()
  const isUrlRefused = save.error instanceof HubError && save.error.code === 'WEBHOOK_URL_NOT_ALLOWED'
  const isIncomplete =
    (!form.isEveryKind && form.kinds.length === 0) || (!form.isEveryChannel && form.channelIds.length === 0)

  function change(next: Partial<EndpointForm>): void {
    setForm({ ...form, ...next })
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isIncomplete) save.mutate()
  }
  return (
    <Dialog
      isWide
      isFlush
      title={webhook ? t('editTitle', { name: webhook.name }) : t('createTitle')}
      description={webhook ? t('editText') : t('createText')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{u('cancel')}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={save.isPending} disabled={isIncomplete}>
            {webhook ? t('save') : t('create')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="min-h-full">
        <Panes
          left={
            <>
              <TextField
                label={t('name')}
                required
                maxLength={100}
                autoComplete="off"
                value={form.name}
                onChange={(event) => change({ name: event.target.value })}
              />
              <TextField
                label={t('url')}
                type="url"
                required
                maxLength={2048}
                autoComplete="off"
                spellCheck={false}
                placeholder="https://example.com/hook"
                hint={t('urlHint')}
                error={isUrlRefused ? readError(save.error).message : undefined}
                value={form.url}
                onChange={(event) => {
                  save.reset()
                  change({ url: event.target.value })
                }}
              />
              <ChannelChoice form={form} onChange={change} />
              {save.error && !isUrlRefused && <FailureNotice error={save.error} />}
            </>
          }
          right={
            <>
              <div>
                <Segmented
                  label={t('view')}
                  value={view}
                  options={[
                    { value: 'events', label: t('tabEvents') },
                    { value: 'payload', label: t('tabPayload') },
                  ]}
                  onChange={setView}
                />
              </div>
              {view === 'events' ? (
                <EventPicker form={form} onChange={change} />
              ) : (
                <FormatChoice form={form} isFormatFixed={webhook !== undefined} onChange={change} />
              )}
            </>
          }
        />
      </form>
    </Dialog>
  )
}
