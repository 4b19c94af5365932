import type { Channel } from '@hubline/sdk/console'
import { hasChannelText } from '../../features/channels/list/search.ts'
import { formatPhone } from '../../lib/format.ts'
import { Status } from '../../ui/data/status.tsx'
import type { Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'
import type { PaletteActions } from './use-actions.ts'

const SHOWN_MAX = 6

type Texts = ReturnType<typeof usePaletteTexts>

/** Channels by name, number or id; for a single one also what is often done with it. */
export function matchChannels(typed: string, channels: readonly Channel[], actions: PaletteActions, t: Texts): Match[] {
  if (typed === '') return []
  const found = channels.filter((channel) => hasChannelText(channel, typed))
  const matches = found.slice(0, SHOWN_MAX).map((channel) => toMatch(channel, actions, t))
  const [only] = found
  return only && found.length === 1 ? [...matches, ...listPages(only, t)] : matches
}

function toMatch(channel: Channel, actions: PaletteActions, t: Texts): Match {
  const { id, name, display_phone_number, external_id, status } = channel
  const facts = [display_phone_number && formatPhone(display_phone_number), external_id]
  const group = t('doWith', { name })
  return {
    id,
    group: t('channels'),
    icon: 'phone',
    title: name,
    hint: facts.filter(Boolean).join(' · '),
    aside: <Status status={status} />,
    link: { to: '/channels/$channelId', params: { channelId: id } },
    actions: [
      ...listPages(channel, t),
      { ...actions.newLink(channel), group },
      {
        id: `${id}-log`,
        group,
        icon: 'message',
        title: t('messagesOfChannel'),
        link: { to: '/messages', search: { channel_id: id } },
      },
    ],
  }
}

function listPages({ id, name }: Channel, t: Texts): Match[] {
  const group = t('doWith', { name })
  const page = { to: '/channels/$channelId', params: { channelId: id } } as const
  return [
    { id: `${id}-test`, group, icon: 'send', title: t('sendTest'), link: { ...page, search: { tab: 'test' } } },
    {
      id: `${id}-check`,
      group,
      icon: 'activity',
      title: t('diagnose'),
      link: { ...page, search: { tab: 'diagnostics' } },
    },
  ]
}
