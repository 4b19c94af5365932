import type { Pool } from '../../kernel/db/pool.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Logger } from '../../kernel/logger.ts'
import { perHour } from '../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../kernel/rate-limit/store.ts'
import type { MailSender } from '../../mail/mail.ts'
import type { Alerts } from '../alerts/service.ts'
import { type Initiator, SYSTEM } from '../audit/initiator.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import type { Auth } from '../auth/service.ts'
import type { Subscriptions } from '../billing/subscriptions/service.ts'
import type { Deletions } from '../channels/deletion/service.ts'
import type { Channels } from '../channels/service.ts'
import type { ConnectLinks } from '../connect-links/service.ts'
import type { CostVolumes } from '../costs/volumes/service.ts'
import type { EventLog } from '../events/log/service.ts'
import type { UploadSessions } from '../facade/upload-sessions/sessions.ts'
import type { Inbound } from '../inbound/service.ts'
import type { LiveUpdates } from '../live-updates/service.ts'
import type { Media } from '../media/service.ts'
import type { Messages } from '../messages/sending/service.ts'
import type { ClaimedDeletion, OrganizationDeletions } from '../organizations/deletion/service.ts'
import type { Invitations } from '../organizations/invitations/service.ts'
import type { Members } from '../organizations/members/service.ts'
import type { LockedOrganization } from '../organizations/service.ts'
import type { Erasures } from '../privacy/erasures/service.ts'
import type { RequestLog } from '../request-log/service.ts'
import type { Counts } from '../statistics/counts/service.ts'
import type { TemplateStates } from '../templates/sendability/service.ts'
import type { Endpoints } from '../webhooks/endpoints/service.ts'
import type { Listeners } from '../webhooks/listeners/service.ts'
import type { DeliveryRetention } from '../webhooks/retention/service.ts'
import { composeDeletionMail } from './mail-text.ts'

const CHANNEL_BATCH_SIZE = 500
/** Over it a request is recorded and not mailed: an owner may request and cancel at will. */
const MAILS_PER_ORGANIZATION = perHour('deletion-mail', 5)

type Dependencies = {
  sql: Pool
  logger: Logger
  mail: MailSender
  publicUrl: string
  organizationDeletions: OrganizationDeletions
  members: Members
  alerts: Alerts
  invitations: Invitations
  auth: Auth
  audit: Audit
  subscriptions: Subscriptions
  channels: Channels
  deletions: Deletions
  connectLinks: ConnectLinks
  endpoints: Endpoints
  listeners: Listeners
  deliveryRetention: DeliveryRetention
  messages: Messages
  media: Media
  uploadSessions: UploadSessions
  templateStates: TemplateStates
  inbound: Inbound
  eventLog: EventLog
  counts: Counts
  costVolumes: CostVolumes
  liveUpdates: LiveUpdates
  erasures: Erasures
  requestLog: RequestLog
}

export type Offboarding = ReturnType<typeof createOffboarding>

/** Ends an organization: by an owner's request, after a time in which every owner can keep it, with all that it has. */
export function createOffboarding(deps: Dependencies) {
  const { sql, logger, mail, publicUrl, organizationDeletions, members, subscriptions, channels } = deps

  /** The owners of each domain's rows, in the order in which foreign keys allow their deletion. */
  const owners: { deleteOfOrganization: (organizationId: string) => Promise<number> }[] = [
    deps.deliveryRetention,
    deps.messages,
    deps.inbound,
    deps.media,
    deps.uploadSessions,
    deps.templateStates,
    deps.connectLinks,
    channels,
    deps.counts,
    deps.costVolumes,
    subscriptions,
    deps.auth,
    deps.invitations,
    deps.alerts,
    deps.liveUpdates,
    deps.erasures,
    deps.eventLog,
    deps.requestLog,
    deps.audit,
  ]

  async function requireNoRenewal(organizationId: string): Promise<void> {
    if (!(await subscriptions.renews(organizationId))) return
    throw new AppError('CONFLICT', 'subscription_renews')
  }

  /** A mail that fails changes nothing: every page shows what waits. */
  async function mailOwners(organization: LockedOrganization, deletesAt: string, initiator: Initiator): Promise<void> {
    if (!mail.isConfigured) return
    const { used } = await countRequest(sql, MAILS_PER_ORGANIZATION, organization.id)
    if (used > MAILS_PER_ORGANIZATION.requests) return
    const content = composeDeletionMail(
      { language: organization.language, timeZone: organization.time_zone },
      {
        organization: organization.name,
        requestedBy: initiator.actor.name ?? initiator.actor.type,
        deletesAt,
        url: `${publicUrl}/settings`,
      },
    )
    for (const { id, email } of await members.listOwners(organization.id)) {
      mail.enqueue(async () => ({ kind: 'organization_deletion', id, to: email, ...content }))
    }
  }

  /**
   * Every part can be repeated. Credentials come first, so that no request adds to what follows; the payment provider comes
   * last, which may be down.
   */
  async function shutOff(organizationId: string): Promise<{ removed: number; deleted: number }> {
    await deps.auth.revokeAll(organizationId)
    while ((await deps.invitations.deleteOfOrganization(organizationId)) > 0);
    const people = await members.removeAll(organizationId)
    await deleteChannels(organizationId)
    await deps.endpoints.disableAll(organizationId)
    await deps.listeners.endAll(organizationId)
    await subscriptions.endAll(organizationId)
    return people
  }

  async function deleteChannels(organizationId: string): Promise<void> {
    let before: string | null | undefined = null
    while (before !== undefined) {
      const batch: { id: string }[] = await channels.list(organizationId, { before, limit: CHANNEL_BATCH_SIZE })
      for (const { id } of batch) {
        await deps.deletions.delete({ organizationId, initiator: SYSTEM }, id, false)
        await organizationDeletions.renewLease(organizationId)
      }
      before = batch.at(-1)?.id
    }
  }

  async function deleteRows(organizationId: string): Promise<number> {
    let total = 0
    for (const owner of owners) {
      for (let count = 1; count > 0; total += count) {
        count = await owner.deleteOfOrganization(organizationId)
        if (count > 0) await organizationDeletions.renewLease(organizationId)
      }
    }
    return total
  }

  /** A subscription that was bought meanwhile is a decision to keep the organization, but not once it is being shut off. */
  async function begin({ id, began_at }: ClaimedDeletion): Promise<void> {
    if (began_at === null && (await subscriptions.renews(id))) {
      if (!(await organizationDeletions.giveUp(id, 'subscription_active', SYSTEM))) return
      logger.warn({ organization_id: id }, 'organization not deleted: a paid subscription is active')
      return
    }
    if (!(await organizationDeletions.begin(id))) return
    const { removed, deleted } = await shutOff(id)
    await organizationDeletions.markShutOff(id)
    logger.info(
      { organization_id: id, members: removed, people_deleted: deleted },
      'organization shut off, its data will be deleted',
    )
  }

  /** Shuts off once more: a request that had begun before may have created a channel, a key or a checkout since. */
  async function complete({ id }: ClaimedDeletion): Promise<void> {
    await shutOff(id)
    const rows = await deleteRows(id)
    if (!(await organizationDeletions.finish(id))) return
    logger.info({ organization_id: id, rows }, 'organization deleted')
  }

  return {
    /** The name is what the owner types, so that no click deletes the wrong organization. */
    async request({ organizationId, initiator }: Principal, name: string): Promise<{ deletes_at: string }> {
      await requireNoRenewal(organizationId)
      const { organization, deletesAt, isNew } = await organizationDeletions.request(organizationId, name, initiator)
      if (isNew) {
        await mailOwners(organization, deletesAt, initiator).catch((err) =>
          logger.warn({ err, organization_id: organizationId }, 'owners not notified of a deletion'),
        )
      }
      return { deletes_at: deletesAt }
    },

    cancel: (organizationId: string, initiator: Initiator) => organizationDeletions.cancel(organizationId, initiator),

    listPending: () => organizationDeletions.listPending(),

    /** One that fails is tried again when its lease has expired, and does not keep the others from theirs. */
    async deleteDue(): Promise<void> {
      const failures: unknown[] = []
      for (let due = await organizationDeletions.claimDue(); due; due = await organizationDeletions.claimDue()) {
        const { id, shut_off_at } = due
        await (shut_off_at === null ? begin(due) : complete(due)).catch((err) => {
          logger.error({ err, organization_id: id }, 'organization could not be deleted yet')
          failures.push(err)
        })
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
