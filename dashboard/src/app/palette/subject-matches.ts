import type { LinkProps } from '@tanstack/react-router'
import { parseSubject, writeSubject } from '../../features/messages/search.ts'
import type { Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'
import type { FoundSubject } from './subject-query.ts'

type Texts = ReturnType<typeof usePaletteTexts>

/** A phone number or a user id leads to the messages of the person; an id to what has it. */
export function matchSubjects(typed: string, found: FoundSubject | undefined, t: Texts): Match[] {
  const { id, name, ...search } = parseSubject(typed)
  if (Object.keys(search).length > 0) {
    const hint = writeSubject(search) ?? ''
    const link: LinkProps = { to: '/messages', search }
    return [{ id: 'person', group: t('jump'), icon: 'message', title: t('messagesOf'), hint, link }]
  }
  return id === undefined || found === undefined ? [] : matchFound(id, found, t)
}

/** The audit log may have an id of which nothing else is left. */
function matchFound(id: string, { message, request, delivery, endpoint }: FoundSubject, t: Texts): Match[] {
  const group = t('jump')
  const matches: Match[] = []
  if (message) {
    const link: LinkProps = { to: '/messages', search: { id, open: message.id } }
    matches.push({ id: 'message', group, icon: 'message', title: t('messageOf'), hint: id, link })
  }
  if (request) {
    const link: LinkProps = { to: '/developers', search: { request_id: request.request_id, open: request.number } }
    const hint = `${request.method} ${request.path} · ${request.status}`
    matches.push({ id: 'request', group, icon: 'code', title: t('requestOf'), hint, link })
  }
  if (delivery) {
    const title = t(delivery.id === id.toLowerCase() ? 'deliveryOf' : 'deliveryOfEvent')
    const hint = `${delivery.event} · ${delivery.endpoint.name}`
    const link = toEndpoint(delivery.endpoint.id, delivery.id)
    matches.push({ id: 'delivery', group, icon: 'webhook', title, hint, link })
  }
  if (endpoint) {
    const link = toEndpoint(endpoint.id)
    matches.push({ id: 'endpoint', group, icon: 'webhook', title: endpoint.name, hint: endpoint.url, link })
  }
  if (id.startsWith('wamid.')) return matches
  const audit: LinkProps = { to: '/audit-log', search: { target_id: id } }
  return [...matches, { id: 'audit', group, icon: 'shield', title: t('auditOf'), hint: id, link: audit }]
}

function toEndpoint(webhookId: string, open?: string): LinkProps {
  return { to: '/webhooks/$webhookId', params: { webhookId }, search: open === undefined ? {} : { open } }
}
