import type { Channel } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { channelsQuery } from '../../../../api/channels.ts'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CheckField, TextField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { showToast } from '../../../../ui/states/toasts.tsx'
import { useDetailTexts } from '../detail-texts.ts'

export function NamingCard({ channel }: { channel: Channel }) {
  const t = useDetailTexts()
  const client = useQueryClient()
  const refusal = useRefusal('channels:write')
  const [name, setName] = useState(channel.name)
  const [externalId, setExternalId] = useState(channel.external_id ?? '')
  const [importsHistory, setImportsHistory] = useState(channel.import_history === 'events')
  const save = useMutation({
    mutationFn: () =>
      hub.channels.update(channel.id, {
        name: name.trim(),
        external_id: externalId.trim() === '' ? null : externalId.trim(),
        import_history: importsHistory ? 'events' : 'off',
      }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: channelsQuery.queryKey })
      showToast(t('saved'))
    },
  })
  const isChanged =
    name.trim() !== channel.name ||
    externalId.trim() !== (channel.external_id ?? '') ||
    importsHistory !== (channel.import_history === 'events')

  function submit(event: FormEvent): void {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Card title={t('naming')}>
      <form onSubmit={submit} className="flex flex-col items-start gap-4">
        <TextField
          className="w-full"
          label={t('name')}
          hint={t('nameHint')}
          required
          maxLength={100}
          disabled={refusal !== undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          className="w-full"
          label={t('externalId')}
          hint={t('externalIdHint')}
          maxLength={200}
          disabled={refusal !== undefined}
          value={externalId}
          onChange={(event) => setExternalId(event.target.value)}
        />
        <CheckField
          label={t('importHistory')}
          hint={t('importHistoryHint')}
          disabled={refusal !== undefined}
          checked={importsHistory}
          onChange={(event) => setImportsHistory(event.target.checked)}
        />
        {save.error && <FailureNotice error={save.error} />}
        <Button type="submit" isBusy={save.isPending} disabled={!isChanged} reason={refusal}>
          {t('save')}
        </Button>
      </form>
    </Card>
  )
}
