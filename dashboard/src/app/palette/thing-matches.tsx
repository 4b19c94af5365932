import type { ApiKey, InvoiceView, Member, Webhook } from '@hubline/sdk/console'
import type { Role } from '../../api/role-scopes.ts'
import { toLook } from '../../features/templates/template-look.ts'
import { formatDay, formatMoment, formatMoney } from '../../lib/format.ts'
import { Status } from '../../ui/data/status.tsx'
import { describePause } from './action-matches.ts'
import { includesText, type Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'
import type { PaletteActions } from './use-actions.ts'
import type { FoundTemplate, Things } from './use-things.ts'

const SHOWN_MAX = 6
/** The worst status of its languages stands for a template. */
const WORST_FIRST = ['REJECTED', 'DISABLED', 'PAUSED', 'PENDING', 'IN_APPEAL']

type Texts = ReturnType<typeof usePaletteTexts>
type Context = { actions: PaletteActions; roleName: (role: Role) => string; t: Texts }

/** Endpoints, templates, members, keys and invoices by their names, each with its state at the right. */
export function matchThings(typed: string, things: Things, { actions, roleName, t }: Context): Match[] {
  if (typed === '') return []
  const has = (...texts: (string | null)[]) => texts.some((text) => text !== null && includesText(text, typed))
  const webhooks = things.webhooks.filter(({ name, url }) => has(name, url))
  const templates = things.templates.filter(({ group }) => has(group.name))
  const members = things.members.filter(({ name, email }) => has(name, email))
  const keys = things.keys.filter(({ name, last4 }) => has(name) || typed.endsWith(last4))
  const invoices = things.invoices.filter(({ number }) => has(number, t('invoice')))
  return [
    ...webhooks.slice(0, SHOWN_MAX).map((webhook) => toWebhook(webhook, things, actions, t)),
    ...templates.slice(0, SHOWN_MAX).map((template) => toTemplate(template, t)),
    ...members.slice(0, SHOWN_MAX).map((member) => toMember(member, roleName, t)),
    ...keys.slice(0, SHOWN_MAX).map((key) => toKey(key, t)),
    ...invoices.slice(0, SHOWN_MAX).map((invoice) => toInvoice(invoice, t)),
  ]
}

function toWebhook(webhook: Webhook, things: Things, actions: PaletteActions, t: Texts): Match {
  const { id, name, url, status } = webhook
  const group = t('doWith', { name })
  const resume = status === 'active' ? [] : [actions.resume(webhook, describePause(id, things, t))]
  return {
    id,
    group: t('webhooks'),
    icon: 'webhook',
    title: name,
    isCode: true,
    hint: URL.canParse(url) ? new URL(url).host : url,
    aside: <Status status={status} />,
    link: { to: '/webhooks/$webhookId', params: { webhookId: id }, search: {} },
    actions: [...resume, actions.sendTest(webhook)].map((action) => ({ ...action, group })),
  }
}

function toTemplate({ channel, group: { name, category, languages } }: FoundTemplate, t: Texts): Match {
  const statuses = languages.map(({ status }) => status)
  const status = WORST_FIRST.find((one) => statuses.includes(one)) ?? statuses[0] ?? ''
  const codes = languages.map(({ language }) => language).join(', ')
  return {
    id: `template-${channel.id}-${name}`,
    group: t('templates'),
    icon: 'template',
    title: name,
    isCode: true,
    hint: [codes, category.toLowerCase(), channel.name].join(' · '),
    aside: <Status status={toLook(status)}>{status.toLowerCase()}</Status>,
    link: { to: '/templates', search: { channel: channel.id, open: name } },
  }
}

function toMember({ id, name, email, role }: Member, roleName: (role: Role) => string, t: Texts): Match {
  return {
    id: `member-${id}`,
    group: t('membersAndKeys'),
    icon: 'users',
    title: name,
    hint: email,
    aside: <span className="text-text-3">{roleName(role)}</span>,
    link: { to: '/members' },
  }
}

function toKey({ id, name, prefix, last4, scopes, status, last_used_at }: ApiKey, t: Texts): Match {
  const facts = [`${prefix}…${last4}`, t('scopes', { count: scopes.length })]
  return {
    id: `key-${id}`,
    group: t('membersAndKeys'),
    icon: 'key',
    title: name,
    hint: [...facts, ...(last_used_at === null ? [] : [t('used', { at: formatMoment(last_used_at) })])].join(' · '),
    aside: <Status status={status} />,
    link: { to: '/api-keys' },
  }
}

function toInvoice({ id, number, status, total, currency, created_at }: InvoiceView, t: Texts): Match {
  return {
    id: `invoice-${id}`,
    group: t('invoices'),
    icon: 'card',
    title: number ?? t('invoice'),
    hint: `${formatDay(created_at)} · ${formatMoney(total, currency)}`,
    aside: <Status status={status} />,
    link: { to: '/usage' },
  }
}
