import type { Channel, ChannelDeleted } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { channelQuery, channelsQuery } from '../../../../api/channels.ts'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { subscriptionQuery } from '../../../../api/subscription.ts'
import { useApiExample } from '../../../../lib/api-example.ts'
import { formatPhone } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { CheckField } from '../../../../ui/controls/field.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../../../../ui/overlays/dialog.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { useDangerTexts } from './danger-texts.ts'

const CONSEQUENCES = ['1', '2', '3', '4', '5'] as const

export function DangerTab({ channel }: { channel: Channel }) {
  const t = useDangerTexts()
  const client = useQueryClient()
  const refusal = useRefusal('channels:write')
  const [wantsDeregistration, setDeregistration] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [result, setResult] = useState<ChannelDeleted>()
  useApiExample({
    method: 'DELETE',
    path: `/api/v1/channels/${channel.id}${wantsDeregistration ? '?deregister=true' : ''}`,
    sdk: `await hub.channels.delete('${channel.id}', { deregister: ${wantsDeregistration} })`,
  })
  const remove = useMutation({
    mutationFn: () => hub.channels.delete(channel.id, { deregister: wantsDeregistration }),
    onSuccess(deleted) {
      setAsking(false)
      setResult(deleted)
      // Its place in the plan is free.
      void client.invalidateQueries({ queryKey: subscriptionQuery.queryKey })
    },
  })
  const number = channel.display_phone_number
  return (
    <Card title={t('title')} className="max-w-2xl border-danger/30">
      <div className="flex flex-col items-start gap-4">
        <div>
          <p className="text-text">
            {t('undone')} {t('intro')}
          </p>
          <ul className="mt-1 list-disc pl-5">
            {CONSEQUENCES.map((name) => (
              <li key={name}>{t(`consequence.${name}`)}</li>
            ))}
          </ul>
        </div>
        <p>{t('keep')}</p>
        {number !== null && (
          <CheckField
            label={t('deregister')}
            hint={t('deregisterHint')}
            checked={wantsDeregistration}
            onChange={(event) => setDeregistration(event.target.checked)}
          />
        )}
        <Button kind="danger" icon="trash" reason={refusal} onClick={() => setAsking(true)}>
          {t('delete')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('ask', { name: channel.name })}
          action={t('delete')}
          name={channel.name}
          isBusy={remove.isPending}
          error={remove.error && <FailureNotice error={remove.error} />}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            {t('undone')}{' '}
            {number !== null && wantsDeregistration
              ? t('askDeregister', { number: formatPhone(number) })
              : t('askKeep')}
          </p>
        </ConfirmDialog>
      )}
      {result && <DeletedDialog channel={channel} result={result} />}
    </Card>
  )
}

/** The outcome for the number has to be read, so it is not a toast. */
function DeletedDialog({ channel, result }: { channel: Channel; result: ChannelDeleted }) {
  const t = useDangerTexts()
  const client = useQueryClient()
  const navigate = useNavigate()
  async function leave(): Promise<void> {
    await navigate({ to: '/channels' })
    client.removeQueries({ queryKey: channelQuery(channel.id).queryKey })
    await client.invalidateQueries({ queryKey: channelsQuery.queryKey })
  }
  return (
    <Dialog
      title={t('deleted', { name: channel.name })}
      onClose={() => void leave()}
      footer={
        <Button kind="primary" onClick={() => void leave()}>
          {t('toList')}
        </Button>
      }
    >
      <p>{t(`result.${result.deregistro}`)}</p>
    </Dialog>
  )
}
