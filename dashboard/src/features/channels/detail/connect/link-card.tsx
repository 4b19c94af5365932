import type { Channel } from '@hubline/sdk/console'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hub } from '../../../../api/hub.ts'
import { useRefusal } from '../../../../api/permissions.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Card } from '../../../../ui/data/card.tsx'
import { FailureNotice } from '../../../../ui/states/list-states.tsx'
import { ConnectSteps } from '../../link/connect-steps.tsx'
import { rememberLink, useKnownLink } from '../../link/known-links.ts'
import { LinkPanel } from '../../link/link-panel.tsx'
import { useConnectTexts } from './connect-texts.ts'

export function LinkCard({ channel }: { channel: Channel }) {
  const t = useConnectTexts()
  const client = useQueryClient()
  const refusal = useRefusal('channels:write')
  const link = useKnownLink(channel.id)
  const create = useMutation({
    mutationFn: () => hub.channels.createConnectLink(channel.id),
    onSuccess: (created) => rememberLink(client, channel.id, created),
  })
  const isPending = channel.status === 'pending'
  // The steps stay, ticked, once the number is connected.
  const [wasPending] = useState(isPending)
  return (
    <Card
      {...(link === undefined && { title: t('link') })}
      footer={
        <div className="flex flex-wrap items-center gap-3">
          <Button
            kind={isPending && link === undefined ? 'primary' : 'secondary'}
            icon="link"
            isBusy={create.isPending}
            reason={refusal}
            onClick={() => create.mutate()}
          >
            {link === undefined ? t('create') : t('createAgain')}
          </Button>
          <span className="text-meta text-text-3">{t('endsOlder')}</span>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        {link === undefined ? (
          <div className="flex flex-col gap-2">
            <p>{isPending ? t('linkText') : t('linkAgain')}</p>
            <p className="text-text-3">{t('linkOnce')}</p>
          </div>
        ) : (
          <>
            <LinkPanel key={link.expires_at} channelId={channel.id} name={channel.name} link={link} />
            {wasPending && <ConnectSteps channel={channel} />}
          </>
        )}
        {create.error && <FailureNotice error={create.error} />}
      </div>
    </Card>
  )
}
