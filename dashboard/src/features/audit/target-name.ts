import { useAuditTexts } from './audit-texts.ts'

const KNOWN = [
  'api_key',
  'channel',
  'delivery',
  'erasure',
  'invitation',
  'listener',
  'message',
  'message_export',
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
