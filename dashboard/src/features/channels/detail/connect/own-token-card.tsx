import { HubError } from '@hubline/sdk'
import type { Channel } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { channelsQuery } from '../../../../api/channels.ts'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { useFields } from '../../../../lib/use-fields.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CheckField, PasswordField, TextField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { useConnectTexts } from './connect-texts.ts'

const EMPTY = { access_token: '', waba_id: '', phone_number_id: '', pin: '' }

function needsPin(error: unknown): boolean {
  return error instanceof HubError && (error.details as { pin_required?: boolean } | null)?.pin_required === true
}

/** Pasted text often has a space at its end. */
function trimTexts(form: typeof EMPTY): typeof EMPTY {
  const { access_token, waba_id, phone_number_id, pin } = form
  return { access_token: access_token.trim(), waba_id: waba_id.trim(), phone_number_id: phone_number_id.trim(), pin }
}

export function OwnTokenCard({ channel }: { channel: Channel }) {
  const t = useConnectTexts()
  const client = useQueryClient()
  const refusal = useRefusal('channels:write')
  const { form, setForm, bind } = useFields({
    ...EMPTY,
    waba_id: channel.waba_id ?? '',
    phone_number_id: channel.phone_number_id ?? '',
  })
  const [isCoexisting, setCoexisting] = useState(channel.coexistence)
  const connect = useMutation({
    mutationFn({ pin, ...rest }: typeof EMPTY) {
      const withPin = pin !== '' && !isCoexisting && { pin }
      return hub.channels.connect(channel.id, { ...rest, ...(isCoexisting && { coexistence: true }), ...withPin })
    },
    async onSuccess() {
      setForm({ ...form, access_token: '', pin: '' })
      await client.invalidateQueries({ queryKey: channelsQuery.queryKey })
      showToast(t('connected'))
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    connect.mutate(trimTexts(form))
  }
  return (
    <Card title={t('own')}>
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <p>{t('ownText')}</p>
        <PasswordField
          label={t('token')}
          hint={t('tokenHint')}
          required
          maxLength={2000}
          autoComplete="off"
          className="w-full"
          {...bind('access_token')}
        />
        <div className="grid w-full grid-cols-2 gap-4 max-tablet:grid-cols-1">
          <TextField
            label={t('waba')}
            hint={t('wabaHint')}
            inputMode="numeric"
            pattern="\s*[0-9]{1,32}\s*"
            required
            autoComplete="off"
            {...bind('waba_id')}
          />
          <TextField
            label={t('numberId')}
            hint={t('numberIdHint')}
            inputMode="numeric"
            pattern="\s*[0-9]{1,32}\s*"
            required
            autoComplete="off"
            {...bind('phone_number_id')}
          />
        </div>
        <CheckField
          label={t('coexistence')}
          hint={t('coexistenceHint')}
          checked={isCoexisting}
          onChange={(event) => setCoexisting(event.target.checked)}
        />
        {!isCoexisting && (
          <TextField
            label={t('pin')}
            hint={t('pinHint')}
            error={needsPin(connect.error) ? t('pinNeeded') : undefined}
            inputMode="numeric"
            pattern="[0-9]{6}"
            maxLength={6}
            autoComplete="off"
            className="w-full"
            {...bind('pin')}
          />
        )}
        {connect.error && <FailureNotice error={connect.error} />}
        <Button type="submit" isBusy={connect.isPending} reason={refusal}>
          {t('connect')}
        </Button>
      </form>
    </Card>
  )
}
