import type { Language } from '@hubline/locales/languages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { hashToken, type NewToken, readTokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../../kernel/db/tenant-rows.ts'
import { hashEmail, normalizeEmail } from '../../../kernel/email.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import type { PageQuery } from '../../../kernel/http/schemas.ts'
import { newId } from '../../../kernel/ids.ts'
import { perHour } from '../../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../../kernel/rate-limit/store.ts'
import type { MailSender } from '../../../mail/mail.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { ClientInfo } from '../../auth/client-info.ts'
import { type Principal, requireSession } from '../../auth/principal.ts'
import { isAtLeast, type Role } from '../../auth/scopes.ts'
import type { Sessions, Started } from '../../auth/sessions/service.ts'
import type { Users } from '../../auth/users/service.ts'
import type { Members } from '../members/service.ts'
import { lockOrganization } from '../store.ts'
import { composeInvitationMail } from './mail-text.ts'
import type { Invitation, Invite, Join } from './schemas.ts'
import * as store from './store.ts'

const LIFE_SECONDS = 7 * 24 * 3600
const RETENTION_DAYS = 90
const WARNING = 'This link works once and cannot be shown again. Send it to the person it is for.'
const WARNING_SENT = 'This link works once and cannot be shown again. It was sent to the person by mail.'

/** Over a limit the invitation is created and no mail is sent: any organization may write to any address. */
const MAILS_PER_ORGANIZATION = perHour('invitation-mail', 50)
/** An attacker who wants to write to people makes a new organization. */
const MAILS_ON_FIRST_DAY = { ...MAILS_PER_ORGANIZATION, requests: 5 }
const MAILS_PER_RECIPIENT = perHour('invitation-mail-recipient', 5)

const TABLES = ['invitations']

type Dependencies = {
  newToken: NewToken
  sql: Pool
  now: Clock
  users: Users
  sessions: Sessions
  members: Members
  audit: Audit
  cursors: Cursors
  mail: MailSender
  publicUrl: string
}

export type Invitations = ReturnType<typeof createInvitations>

/** Links with which people join an organization. A link works once, within its lifetime, for one e-mail address. */
export function createInvitations(deps: Dependencies) {
  const { newToken, sql, now, users, sessions, members, audit, cursors, mail, publicUrl } = deps

  async function isWithinMailLimits(organization: { id: string; is_new: boolean }, email: string): Promise<boolean> {
    const counts = [
      { limit: organization.is_new ? MAILS_ON_FIRST_DAY : MAILS_PER_ORGANIZATION, subject: organization.id },
      { limit: MAILS_PER_RECIPIENT, subject: hashEmail(email) },
    ]
    for (const { limit, subject } of counts) {
      if ((await countRequest(sql, limit, subject)).used > limit.requests) return false
    }
    return true
  }

  /** A mail that fails changes nothing: the invitation is valid, and its maker has the link. */
  async function sendMail(
    organization: { id: string; name: string; language: Language; is_new: boolean },
    sent: Invitation,
    url: string,
  ) {
    if (!mail.isConfigured || !(await isWithinMailLimits(organization, sent.email))) return false
    const text = composeInvitationMail(organization.language, {
      organization: organization.name,
      invitedBy: sent.invited_by,
      url,
    })
    return mail.send({ kind: 'invitation', id: sent.id, to: sent.email, ...text })
  }

  async function create(organizationId: string, invite: Invite, initiator: Initiator) {
    const email = normalizeEmail(invite.email)
    if (await members.isMember(organizationId, email)) throw invalidRequest('member_already')
    const [shown, mailed] = [newToken('invitation'), newToken('invitation')]
    const id = newId(now())
    const { invitation, organization } = await sql.begin(async (tx) => {
      const organization = await lockOrganization(tx, organizationId)
      if (!organization) throw notFound('organization_not_found')
      const revoked = await store.revokeOpen(tx, { organizationId, email })
      await members.requireRoom(tx, organizationId)
      const created = await store.insertInvitation(tx, {
        organizationId,
        id,
        email,
        role: invite.role,
        invitedBy: initiator.actor.name ?? initiator.actor.type,
        inviterId: initiator.actor.type === 'user' ? initiator.actor.id : null,
        links: [
          { tokenHash: hashToken(shown), isMailed: false },
          ...(mail.isConfigured ? [{ tokenHash: hashToken(mailed), isMailed: true }] : []),
        ],
        lifeSeconds: LIFE_SECONDS,
      })
      const entry = { organizationId, initiator }
      for (const replaced of revoked) {
        const details = { replaced_by: id }
        await audit.record(tx, { ...entry, action: 'invitation.revoked', target: buildTarget(replaced), details })
      }
      const details = { email, role: invite.role }
      await audit.record(tx, { ...entry, action: 'invitation.created', target: buildTarget(id), details })
      return { invitation: created, organization }
    })
    const isSent = await sendMail(organization, invitation, toJoinUrl(mailed))
    return { invitation, invitation_url: toJoinUrl(shown), mail_sent: isSent, warning: isSent ? WARNING_SENT : WARNING }
  }

  function toJoinUrl(token: string): string {
    return `${publicUrl}/join/${token}`
  }

  async function findOpen(token: string): Promise<store.OpenInvitation> {
    const open = readTokenKind(token) === 'invitation' && (await store.findOpenByLink(sql, hashToken(token)))
    if (!open) throw notFound('invitation_not_found')
    return open
  }

  return {
    create,

    async invite(principal: Principal, invite: Invite) {
      requireNoHigherRole(requireSession(principal).role, invite.role)
      return create(principal.organizationId, invite, principal.initiator)
    },

    async listOpen(organizationId: string, { limit, cursor }: PageQuery) {
      const list = ['invitations', organizationId]
      const before = cursor === undefined ? null : cursors.decode(cursor, list)
      const rows = await store.listOpen(sql, { organizationId, before, limit: limit + 1 })
      const { page, next_cursor } = cursors.toPage(rows, limit, list)
      return { invitations: page, next_cursor }
    },

    async revoke({ organizationId, initiator }: Principal, id: string): Promise<void> {
      await sql.begin(async (tx) => {
        if (!(await store.markRevoked(tx, { organizationId, id }))) throw notFound('invitation_not_found')
        await audit.record(tx, { organizationId, initiator, action: 'invitation.revoked', target: buildTarget(id) })
      })
    },

    async show(token: string) {
      const { organization_name, language, email, role, expires_at } = await findOpen(token)
      return { organization_name, language, email, role, expires_at }
    },

    /**
     * The link proves the invitation, not the identity: a person with an account has to send its password. The link in
     * the mail also proves that they own the address; the one that its maker sees does not.
     */
    async join(token: string, form: Join, client: ClientInfo): Promise<Started> {
      const open = await findOpen(token)
      const account = (await users.find({ email: open.email }))
        ? await sessions.authenticate({ email: open.email, password: form.password, totp: form.totp }, client)
        : undefined
      const name = account?.name ?? form.name
      const passwordHash = account ? '' : await users.hashPassword(form.password, client.ip)

      return sql.begin(async (tx) => {
        const { organization_id: organizationId, id, role } = open
        if (!(await store.markAccepted(tx, { organizationId, id }))) throw notFound('invitation_not_found')
        if (account) {
          await users.lockCredentials(tx, account)
          await members.requireRoomOfPerson(tx, account.id)
        }
        const user =
          account ??
          (await users.register(tx, { email: open.email, name, passwordHash, isEmailVerified: open.is_mailed }))
        if (!user) throw invalidRequest('account_just_created')
        const { ip, requestId } = client
        const initiator: Initiator = { actor: { type: 'user', id: user.id, name }, ip, requestId }
        await audit.record(tx, { organizationId, initiator, action: 'invitation.accepted', target: buildTarget(id) })
        if (open.is_mailed && account && (await users.verifyEmail(tx, account.id))) {
          const target = { type: 'user', id: account.id }
          const details = { by: 'invitation' }
          await audit.record(tx, { organizationId, initiator, action: 'user.email_verified', target, details })
        }
        await members.add(tx, { organizationId, userId: user.id, role, initiator })
        const hasSecondFactor = account !== undefined && account.totp_enabled_at !== null
        return sessions.start(tx, { userId: user.id, organizationId, client, hasSecondFactor })
      })
    },

    listKept: (filter: Parameters<typeof store.listKept>[1]) => store.listKept(sql, filter),

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteOld(): Promise<void> {
      await store.deleteOldInvitations(sql, RETENTION_DAYS)
    },
  }
}

function buildTarget(id: string) {
  return { type: 'invitation', id }
}

function requireNoHigherRole(own: Role, requested: Role): void {
  if (!isAtLeast(own, requested)) {
    throw new AppError('INSUFFICIENT_SCOPE', 'role_of_invitation', { parameters: { own_role: own, role: requested } })
  }
}
