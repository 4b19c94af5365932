import type { CreateChannel } from '@hubline/sdk/console'
import { type FormEvent, useId } from 'react'
import { useRefusal } from '../../../api/permissions.ts'
import { useFields } from '../../../lib/use-fields.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/field.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useFieldError } from '../../../ui/states/error-text.tsx'
import { FailureNotice } from '../../../ui/states/list-states.tsx'
import { useUiTexts } from '../../../ui/texts.ts'
import { useCreateTexts } from './create-texts.ts'

type CreateDialogProps = {
  isBusy: boolean
  error: Error | null
  onCreate: (body: CreateChannel) => void
  onClose: () => void
}

const EMPTY = { name: '', externalId: '', webhookUrl: '' }

export function CreateDialog({ isBusy, error, onCreate, onClose }: CreateDialogProps) {
  const t = useCreateTexts()
  const u = useUiTexts()
  const formId = useId()
  const webhookRefusal = useRefusal('webhooks:write')
  const { form, bind } = useFields(EMPTY)
  const fieldError = useFieldError(error)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const { name, externalId, webhookUrl } = form
    onCreate({
      name: name.trim(),
      ...(externalId.trim() !== '' && { external_id: externalId.trim() }),
      ...(webhookUrl.trim() !== '' && { webhook_url: webhookUrl.trim() }),
    })
  }
  return (
    <Dialog
      title={t('title')}
      description={t('text')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{u('cancel')}</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={isBusy}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          error={fieldError('name')}
          required
          maxLength={100}
          autoComplete="off"
          {...bind('name')}
        />
        <TextField
          label={t('externalId')}
          hint={t('externalIdHint')}
          maxLength={200}
          autoComplete="off"
          {...bind('externalId')}
        />
        <TextField
          label={t('compat')}
          hint={webhookRefusal ?? t('compatHint')}
          disabled={webhookRefusal !== undefined}
          type="url"
          placeholder="https://"
          maxLength={2048}
          error={fieldError('webhook_url')}
          autoComplete="off"
          {...bind('webhookUrl')}
        />
        {error && <FailureNotice error={error} />}
      </form>
    </Dialog>
  )
}
