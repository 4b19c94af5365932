import type { AuditEntry } from '@hubline/sdk'
import { cx } from '../../lib/cx.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useAuditTexts } from './audit-texts.ts'

/** The names that the hub gives to what acts without a person or a key. */
const NAMED = ['billing link', 'connect link', 'payment provider'] as const

const ICONS: Record<string, IconName> = { user: 'users', api_key: 'key', channel_token: 'phone' }

/** In a row the name is cut where the screen is small. */
export function ActorName({ actor, isWhole = false }: { actor: AuditEntry['actor']; isWhole?: boolean }) {
  const name = useActorName()(actor)
  return (
    <span className={cx('flex min-w-0 items-center gap-2', !isWhole && 'whitespace-nowrap')}>
      <Icon name={ICONS[actor.type] ?? 'server'} size={14} className="text-text-3" />
      <span className={isWhole ? 'break-words' : 'truncate'}>{name}</span>
    </span>
  )
}

function useActorName(): (actor: AuditEntry['actor']) => string {
  const t = useAuditTexts()
  return ({ type, name }) => {
    if (name === null) return t(type === 'operator' ? 'actor.operator' : 'system')
    const known = NAMED.find((known) => type === 'system' && known === name)
    return known ? t(`name.${known}`) : name
  }
}
