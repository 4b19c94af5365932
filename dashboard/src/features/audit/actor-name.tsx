import type { AuditEntry } from '@hubline/sdk'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useAuditTexts } from './audit-texts.ts'

const ICONS: Record<string, IconName> = { user: 'users', api_key: 'key', channel_token: 'phone' }

export function ActorName({ actor }: { actor: AuditEntry['actor'] }) {
  const t = useAuditTexts()
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <Icon name={ICONS[actor.type] ?? 'server'} size={14} className="text-text-3" />
      <span className="truncate max-tablet:max-w-20">{actor.name ?? t('system')}</span>
    </span>
  )
}
