import type { Language } from '@hubline/locales/languages.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import type { MailSender } from '../../mail/mail.ts'
import type { NewEvent } from '../events/catalog.ts'
import { composeAlertMail } from './mail-text.ts'
import * as store from './store.ts'

/** A person gets at most one mail about an endpoint or a channel in this time. */
const QUIET_SECONDS = 3600
const BATCH_SIZE = 20
/** Only for a mail that the server certainly did not accept. */
const ATTEMPTS_MAX = 3
const RETRY_SECONDS = 300

type Dependencies = {
  sql: Pool
  mail: Pick<MailSender, 'isConfigured' | 'attempt'>
  publicUrl: string
  buildRecipients: store.BuildRecipients
}

export type Alerts = ReturnType<typeof createAlerts>

/**
 * Mails about endpoints that the hub pauses and channels that stop working, to the members who want them.
 *
 * A mail becomes due in the transaction that pauses the endpoint or moves the channel, and a job sends it later: neither
 * waits for a mail server. A claim is committed before the mail is sent, so that no mail is sent twice, by any number of
 * processes. One that the server certainly did not accept is tried again; one whose outcome is unknown is not.
 */
export function createAlerts({ sql, mail, publicUrl, buildRecipients }: Dependencies) {
  async function send(claimed: store.ClaimedMail): Promise<void> {
    const { id, kind, subject_id, organization, name, occurred_at, email } = claimed
    const path = kind === 'endpoint_paused' ? `/webhooks/${subject_id}` : `/channels/${subject_id}?tab=diagnostics`
    const reader = { language: claimed.language as Language, timeZone: claimed.time_zone }
    const content = composeAlertMail(kind, reader, {
      organization,
      name,
      at: occurred_at,
      url: publicUrl + path,
      accountUrl: `${publicUrl}/account`,
    })
    const outcome = await mail.attempt({ kind: 'alert', id, to: email, ...content })
    if (outcome !== 'refused' || claimed.attempts >= ATTEMPTS_MAX) return
    await store.postpone(sql, { ...claimed, seconds: RETRY_SECONDS })
  }

  return {
    /** Makes mails due about those of the events that are about an endpoint or a channel that stopped working. */
    async record(tx: Tx, events: readonly NewEvent[]): Promise<void> {
      if (!mail.isConfigured) return
      const alerts = events.flatMap(toAlert)
      if (alerts.length > 0) await store.insertAlerts(tx, alerts, { quietSeconds: QUIET_SECONDS, buildRecipients })
    },

    async sendDue(): Promise<void> {
      if (!mail.isConfigured) return
      for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
        const claimed = await store.claimDue(sql, { limit: BATCH_SIZE, buildRecipients })
        for (const one of claimed) await send(one)
        count = claimed.length
      }
    },

    async deleteOld(): Promise<void> {
      await store.deleteOld(sql, QUIET_SECONDS)
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, ['alert_mails'], organizationId),
  }
}

type Subject = { id: string; name: string }

function toAlert(event: NewEvent): store.Alert[] {
  if (!('data' in event)) return []
  const { organizationId, kind } = event
  const { webhook, channel, reason } = event.data as { webhook?: Subject; channel?: Subject; reason?: string | null }
  if (kind === 'endpoint.paused' && webhook) {
    return [{ organizationId, kind: 'endpoint_paused', subjectId: webhook.id, name: webhook.name }]
  }
  // A person who deletes a channel knows it.
  if (!channel || reason === 'deleted') return []
  if (kind !== 'channel.degraded' && kind !== 'channel.disconnected') return []
  const dropped = kind === 'channel.degraded' ? 'channel_degraded' : 'channel_disconnected'
  return [{ organizationId, kind: dropped, subjectId: channel.id, name: channel.name }]
}
