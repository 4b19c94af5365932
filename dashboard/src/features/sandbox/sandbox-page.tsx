import type { Channel } from '@hubline/sdk/console'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { channelsQuery, concernsChannels } from '../../api/channels.ts'
import { hub } from '../../api/hub.ts'
import { useRoleRefusal } from '../../api/permissions.ts'
import { useNewChannelRefusal } from '../../api/subscription.ts'
import { useApiExample } from '../../lib/api-example.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { EmptyState, ErrorState, FailureNotice, Skeleton } from '../../ui/states/list-states.tsx'
import { isConnected } from './queries.ts'
import { useSandboxTexts } from './sandbox-texts.ts'
import { SandboxWorkbench } from './sandbox-workbench.tsx'

const route = getRouteApi('/shell/simulator')

/** The simulated phone of a customer, beside what their messages cause. */
export function SandboxPage() {
  const t = useSandboxTexts()
  const { channel: wanted } = route.useSearch()
  const channels = useQuery(channelsQuery)
  useLiveQueries(channelsQuery.queryKey, concernsChannels)
  const known = channels.data ?? []
  const channel = known.find(({ id }) => id === wanted) ?? known.find(isConnected) ?? known[0]
  useApiExample({
    method: 'GET',
    path: `/api/v1/channels/${channel?.id ?? '{id}'}/messages`,
    sdk: `for await (const message of hub.messages.list('${channel?.id ?? '…'}')) console.log(message)`,
  })
  if (channels.error) {
    return <ErrorState title={t('channelsFailed')} error={channels.error} onRetry={() => void channels.refetch()} />
  }
  if (!channels.data) return <Skeleton />
  if (channel && isConnected(channel)) return <SandboxWorkbench key={channel.id} channel={channel} channels={known} />
  return (
    <Page>
      <PageHeader title={t('title')}>{t('subtitle')}</PageHeader>
      <FirstChannel channel={channel} />
    </Page>
  )
}

/** The phone writes to a channel with a simulated number. */
function FirstChannel({ channel }: { channel: Channel | undefined }) {
  const t = useSandboxTexts()
  const client = useQueryClient()
  const creationRefusal = useNewChannelRefusal()
  const refusal = useRoleRefusal('developer') ?? (channel ? undefined : creationRefusal)
  const [name, setName] = useState('Padaria Pão da Vila')
  const connect = useMutation({
    async mutationFn() {
      const id = channel?.id ?? (await hub.channels.create({ name: name.trim() })).channel.id
      await hub.console.connectSandboxChannel(id)
    },
    onSettled: () => client.invalidateQueries({ queryKey: channelsQuery.queryKey }),
  })
  return (
    <EmptyState
      title={channel ? t('notConnected', { name: channel.name }) : t('noChannel')}
      actions={
        <Button
          kind="primary"
          icon="link"
          isBusy={connect.isPending}
          reason={refusal}
          disabled={!channel && name.trim() === ''}
          onClick={() => connect.mutate()}
        >
          {channel ? t('connect') : t('createAndConnect')}
        </Button>
      }
    >
      <p>{channel ? t('notConnectedText') : t('noChannelText')}</p>
      {!channel && (
        <TextField
          label={t('channelName')}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
        />
      )}
      {connect.error && <FailureNotice error={connect.error} />}
    </EmptyState>
  )
}
