import type { AttentionItem } from '@hubline/sdk/console'
import { useQuery } from '@tanstack/react-query'
import { ATTENTION_MAX } from '../../api/generated/definitions.gen.ts'
import { lacksSecondFactor, useSession } from '../../api/session.ts'
import { attentionQuery } from '../../features/overview/overview-queries.ts'
import { cx } from '../../lib/cx.ts'
import { formatCount } from '../../lib/format.ts'
import { useLiveQueries } from '../../live/use-live-queries.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import type { NavigationKey } from './navigation.ts'
import { useShellTexts } from './shell-texts.ts'

type Kind = AttentionItem['kind']
type BadgeOf = { key: NavigationKey; kinds: readonly Kind[]; text: 'pausedCount' | 'troubledCount' | 'paymentDue' }

/** The pages that say by a badge that something on them waits for a person. */
const BADGES: readonly BadgeOf[] = [
  { key: 'webhooks', kinds: ['endpoint_paused'], text: 'pausedCount' },
  { key: 'channels', kinds: ['channel_degraded', 'channel_disconnected'], text: 'troubledCount' },
  { key: 'usage', kinds: ['subscription_past_due', 'subscription_suspended'], text: 'paymentDue' },
]
const URGENT: readonly Kind[] = ['endpoint_paused', 'channel_disconnected', 'subscription_suspended']
const KINDS = ['channel.updated', 'endpoint.updated', 'subscription.updated']

export type NavigationBadge = { count: number; text: string; icon: IconName; isUrgent: boolean }

/** Counts what waits for a person, by the page on which it is done. */
export function useBadges(): Map<NavigationKey, NavigationBadge> {
  const t = useShellTexts()
  const isLocked = lacksSecondFactor(useSession())
  const { data: items = [] } = useQuery({ ...attentionQuery, enabled: !isLocked })
  useLiveQueries(attentionQuery.queryKey, ({ kind }) => KINDS.includes(kind))
  const badges = BADGES.map(({ key, kinds, text }) => {
    const found = items.filter(({ kind }) => kinds.includes(kind))
    const isUrgent = found.some(({ kind }) => URGENT.includes(kind))
    const icon = key === 'webhooks' ? 'ring-bars' : isUrgent ? 'ring-cross' : 'alert'
    return [key, { count: found.length, text: t(text, { count: found.length }), icon, isUrgent }] as const
  })
  return new Map(badges.filter(([, { count }]) => count > 0))
}

/** Icon and number in the color of the state; in the narrow side bar a dot. */
export function NavigationBadgeMark({ badge: { count, text, icon, isUrgent } }: { badge: NavigationBadge }) {
  return (
    <span
      title={text}
      className={cx(
        'ml-auto flex items-center gap-1 text-meta tabular-nums max-desktop:absolute max-desktop:top-1 max-desktop:right-1',
        isUrgent ? 'text-danger' : 'text-warn',
      )}
    >
      <span className="sr-only">{text}</span>
      <span aria-hidden="true" className="flex items-center gap-1">
        <Icon name={icon} size={12} />
        <span className="max-desktop:hidden">{formatCount(count, ATTENTION_MAX)}</span>
      </span>
    </span>
  )
}
