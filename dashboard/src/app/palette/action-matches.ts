import { formatMoment, formatNumber } from '../../lib/format.ts'
import { includesText, type Match } from './match.ts'
import type { usePaletteTexts } from './palette-texts.ts'
import type { PaletteActions } from './use-actions.ts'
import type { Things } from './use-things.ts'

const SHOWN_MAX = 3

type Texts = ReturnType<typeof usePaletteTexts>

/** Lists the actions on endpoints and channels by the name or by the verb, resuming first. */
export function matchActions(typed: string, things: Things, actions: PaletteActions, t: Texts): Match[] {
  if (typed === '') return []
  const { webhooks, channels } = things
  const resumed = webhooks.filter(({ status }) => status !== 'active')
  const lists = [
    resumed.map((webhook) => actions.resume(webhook, describePause(webhook.id, things, t))),
    webhooks.map(actions.sendTest),
    channels.map(actions.newLink),
  ]
  return lists.flatMap((list) => list.filter(({ title }) => includesText(title, typed)).slice(0, SHOWN_MAX))
}

/** Since when the endpoint is paused, and how many events it did not get. */
export function describePause(webhookId: string, { pauses }: Things, t: Texts): string {
  const pause = pauses.get(webhookId)
  if (!pause) return ''
  const since = t('pausedSince', { at: formatMoment(pause.from) })
  if (pause.events_not_sent === null) return since
  const shown = `${formatNumber(pause.events_not_sent)}${pause.is_capped ? '+' : ''}`
  return `${since} · ${t('notSent', { count: pause.events_not_sent, shown })}`
}
