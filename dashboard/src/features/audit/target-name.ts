import type { AuditEntry } from '@hubline/sdk'
import { useAuditTexts } from './audit-texts.ts'
import type { KnownName } from './known-names.ts'

const KNOWN = [
  'api_key',
  'channel',
  'delivery',
  'erasure',
  'invitation',
  'listener',
  'message',
  'message_export',
  'message_log',
  'organization',
  'session',
  'subscription',
  'template',
  'user',
  'webhook',
] as const

/** Names the target of an action. A newer hub may have other targets, which keep the name of the API. */
export function useTargetName(): (type: string) => string {
  const t = useAuditTexts()
  return (type) => {
    const known = KNOWN.find((name) => name === type)
    return known === undefined ? type : t(`target.${known}`)
  }
}

/** The name of a target, and beside it what it is. A target without a name is what it is. */
export function useTargetText(
  names: readonly KnownName[],
): (target: AuditEntry['target']) => { name?: string; type: string } {
  const nameType = useTargetName()
  return ({ type, id }) => {
    const known = names.find((one) => one.id === id)
    // The organization is the target of what concerns all of it, such as an export.
    return { ...(known && known.type === type && { name: known.name }), type: nameType(type) }
  }
}
