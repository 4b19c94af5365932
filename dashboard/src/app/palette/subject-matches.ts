import type { LinkProps } from '@tanstack/react-router'
import { parseSubject } from '../../features/messages/search.ts'
import { formatPhone } from '../../lib/format.ts'
import type { Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'

/** A pasted id, wamid, phone number or user id leads to what the log has of it. */
export function matchSubjects(typed: string, t: ReturnType<typeof usePaletteTexts>): Match[] {
  const group = t('jump')
  const { id, person } = parseSubject(typed)
  if (person !== undefined) {
    const hint = typeof person === 'number' ? formatPhone(String(person)) : person
    const link: LinkProps = { to: '/messages', search: { person } }
    return [{ id: 'person', group, icon: 'message', title: t('messagesOf'), hint, link }]
  }
  if (id === undefined) return []
  const message: LinkProps = { to: '/messages', search: { id } }
  const request: LinkProps = { to: '/developers', search: { request_id: id } }
  const audit: LinkProps = { to: '/audit-log', search: { target_id: id } }
  return [
    { id: 'message', group, icon: 'message', title: t('messageOf'), hint: id, link: message },
    ...(id.startsWith('wamid.')
      ? []
      : ([
          { id: 'audit', group, icon: 'shield', title: t('auditOf'), hint: id, link: audit },
          { id: 'request', group, icon: 'code', title: t('requestOf'), hint: id, link: request },
        ] as const)),
  ]
}
