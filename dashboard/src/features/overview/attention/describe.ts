import type { AttentionItem } from '@hubline/sdk/console'
import type { LinkProps } from '@tanstack/react-router'
import { HELD_MAX, UNKNOWN_SENDS_MAX } from '../../../api/generated/definitions.gen.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { isolate } from '../../../lib/isolate.ts'
import type { IconName } from '../../../ui/icon.tsx'
import type { useAttentionTexts } from './attention-texts.ts'

/** The text of a line of the list, and the one thing to do about it. */
type Described = {
  icon: IconName
  tone: 'danger' | 'warn' | 'neutral'
  title: string
  below: string
  action: string
  link: LinkProps
}

type Translate = ReturnType<typeof useAttentionTexts>
type Describe = (item: AttentionItem, t: Translate) => Described

const DESCRIPTIONS: Record<AttentionItem['kind'], Describe> = {
  endpoint_paused: describePaused,
  channel_degraded: (item, t) => ({ ...describeChannel(item, t), icon: 'alert', tone: 'warn' }),
  channel_disconnected: (item, t) => ({ ...describeChannel(item, t), icon: 'ring-cross', tone: 'danger' }),
  unknown_sends({ target, details }, t) {
    const below = [target.name, t('unknownText')]
    return {
      icon: 'help',
      tone: 'warn',
      title: t('unknown_sends', {
        count: Number(details.count),
        shown: formatCount(Number(details.count), UNKNOWN_SENDS_MAX),
      }),
      below: join(below),
      action: t('do.check'),
      link: { to: '/messages', search: { status: 'unknown', channel_id: target.id } },
    }
  },
  template_rejected: describeTemplate,
  quota: describeQuota,
  link_expired: ({ target }, t) => ({
    icon: 'link',
    tone: 'neutral',
    title: t('link_expired', { name: target.name ?? t('someChannel') }),
    below: t('linkText'),
    action: t('do.connect'),
    link: { to: '/channels/$channelId', params: { channelId: target.id }, search: { tab: 'connect' } },
  }),
  subscription_past_due: (_item, t) => ({
    icon: 'card',
    tone: 'warn',
    title: t('subscription_past_due'),
    below: t('pastDueText'),
    action: t('do.pay'),
    link: { to: '/usage' },
  }),
  subscription_suspended: (_item, t) => ({
    icon: 'card',
    tone: 'danger',
    title: t('subscription_suspended'),
    below: t('suspendedText'),
    action: t('do.pay'),
    link: { to: '/usage' },
  }),
}

export function describeAttention(item: AttentionItem, t: Translate): Described {
  return DESCRIPTIONS[item.kind](item, t)
}

function describePaused({ target, details }: AttentionItem, t: Translate): Described {
  const { by_hub, consecutive_failures, last_error_code, host, held } = details
  const values = { name: target.name ?? String(host), count: Number(consecutive_failures) }
  const from = typeof last_error_code === 'string' ? t('fromHost', { code: last_error_code, host: String(host) }) : host
  return {
    icon: 'ring-bars',
    tone: 'danger',
    title: by_hub === true ? t('endpoint_paused_hub', values) : t('endpoint_paused', values),
    below: join([
      from,
      Number(held) > 0 && t('held', { count: Number(held), shown: formatCount(Number(held), HELD_MAX) }),
    ]),
    action: t('do.review'),
    link: { to: '/webhooks/$webhookId', params: { webhookId: target.id } },
  }
}

function describeChannel({ kind, target, details }: AttentionItem, t: Translate) {
  const isLost = kind === 'channel_disconnected'
  const { subscribed_ok, quality_rating } = details
  const causes = [
    subscribed_ok === false && t('subscriptionLost'),
    typeof quality_rating === 'string' && quality_rating !== 'GREEN' && t('quality', { rating: quality_rating }),
  ]
  const name = target.name ?? t('someChannel')
  const tab: 'connect' | 'diagnostics' = isLost ? 'connect' : 'diagnostics'
  return {
    title: t(isLost ? 'channel_disconnected' : 'channel_degraded', { name }),
    below: isLost ? t('reconnect') : join(causes) || t('diagnose'),
    action: isLost ? t('do.connect') : t('do.diagnose'),
    link: { to: '/channels/$channelId', params: { channelId: target.id }, search: { tab } } satisfies LinkProps,
  }
}

function describeTemplate({ target, details }: AttentionItem, t: Translate): Described {
  const { status, language, reason, channel_id, channel_name } = details
  const titles = { PAUSED: 'template_paused', DISABLED: 'template_disabled' } as const
  const title = status === 'PAUSED' || status === 'DISABLED' ? titles[status] : 'template_rejected'
  return {
    icon: 'template',
    tone: 'danger',
    title: t(title, { name: target.name ?? t('someTemplate') }),
    below: join([language, channel_name, reason === 'NONE' ? null : reason]),
    action: t('do.edit'),
    link: { to: '/templates', search: { channel: String(channel_id), q: target.name ?? '' } },
  }
}

function describeQuota({ details }: AttentionItem, t: Translate): Described {
  const { quota, limit, used, plan } = details
  const isFull = Number(used) >= Number(limit)
  const titles = {
    channels: isFull ? t('quotaFullChannels') : t('quotaChannels'),
    webhook_endpoints: isFull ? t('quotaFullEndpoints') : t('quotaEndpoints'),
  }
  return {
    icon: quota === 'channels' ? 'phone' : 'webhook',
    tone: isFull ? 'warn' : 'neutral',
    title: titles[quota as keyof typeof titles] ?? t('quotaAny'),
    below: t('quotaText', { used: formatNumber(Number(used)), limit: formatNumber(Number(limit)) }),
    action: t(plan === 'free' ? 'do.upgrade' : 'do.add'),
    link: { to: '/usage' },
  }
}

function join(parts: readonly unknown[]): string {
  const texts = parts.filter((part): part is string => typeof part === 'string' && part !== '')
  return texts.map(isolate).join(' · ')
}
