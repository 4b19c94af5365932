import type { Channel, Webhook } from '@hubline/sdk/console'
import { useQueryClient } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { useRefusal } from '../../api/permissions.ts'
import { webhooksQuery } from '../../api/webhooks.ts'
import { rememberLink } from '../../features/channels/link/known-links.ts'
import { useGoneSince } from '../../live/live.ts'
import { showToast } from '../../ui/states/toasts.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import type { Match } from './match.ts'
import { usePaletteTexts } from './palette-texts.ts'

export type PaletteActions = ReturnType<typeof usePaletteActions>

/** The actions that the palette does itself. Nothing here deletes, and each says why it cannot be done now. */
export function usePaletteActions() {
  const t = usePaletteTexts()
  const u = useUiTexts()
  const client = useQueryClient()
  const whenBack = useGoneSince() === undefined ? undefined : u('whenBack')
  const webhooksRefusal = useRefusal('webhooks:write') ?? whenBack
  const channelsRefusal = useRefusal('channels:write') ?? whenBack
  const group = t('actions')
  return {
    resume: ({ id, name }: Webhook, hint: string): Match => ({
      id: `resume-${id}`,
      group,
      icon: 'play',
      title: t('resume', { name }),
      hint,
      reason: webhooksRefusal,
      async run() {
        await hub.webhooks.update(id, { status: 'active' })
        showToast(t('resumed', { name }))
        await client.invalidateQueries({ queryKey: webhooksQuery.queryKey })
        return undefined
      },
    }),

    sendTest: ({ id, name, status }: Webhook): Match => ({
      id: `test-${id}`,
      group,
      icon: 'send',
      title: t('sendTestTo', { name }),
      reason: webhooksRefusal ?? (status === 'active' ? undefined : t('resumeFirst')),
      isCareful: true,
      async run() {
        const { delivery_id } = await hub.webhooks.test(id)
        await client.invalidateQueries({ queryKey: ['webhooks', id] })
        return { to: '/webhooks/$webhookId', params: { webhookId: id }, search: { open: delivery_id } }
      },
    }),

    newLink: ({ id, name }: Channel): Match => ({
      id: `link-${id}`,
      group,
      icon: 'link',
      title: t('newLinkFor', { name }),
      hint: t('newLinkHint'),
      reason: channelsRefusal,
      isCareful: true,
      async run() {
        rememberLink(client, id, await hub.channels.createConnectLink(id))
        return { to: '/channels/$channelId', params: { channelId: id }, search: { tab: 'connect' } }
      },
    }),
  }
}
