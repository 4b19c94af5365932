import type { AttentionItem } from './schemas.ts'
import type { TemplateEvent } from './store.ts'

/** The upstream's report of a template that cannot be sent until a person changes it. */
const REFUSED = ['REJECTED', 'PAUSED', 'DISABLED']

type Body = {
  data: {
    template: { id: string | null; name: string | null; language: string | null; status: string | null }
    change: { reason?: unknown }
  }
}

/** Templates whose latest status is a refusal. Events come newest first, one for each channel of an account. */
export function listRejectedTemplates(events: readonly TemplateEvent[]): AttentionItem[] {
  const seen = new Set<string>()
  return events.flatMap(({ body, channel_id, channel_name, occurred_at }) => {
    const { template, change } = (JSON.parse(body.toString()) as Body).data
    const { id, name, language, status } = template
    // Changes of the category or the quality have no status.
    if (id === null || status === null || seen.has(id)) return []
    seen.add(id)
    if (!REFUSED.includes(status)) return []
    const reason = typeof change.reason === 'string' ? change.reason : null
    const details = { status, language, reason, channel_id, channel_name }
    return [
      {
        kind: 'template_rejected' as const,
        target: { type: 'template' as const, id, name },
        since: occurred_at,
        details,
      },
    ]
  })
}
