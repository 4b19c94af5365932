import type { Clock } from '../../../kernel/clock.ts'
import type { Cursors } from '../../../kernel/crypto/cursor.ts'
import { hashToken, newToken, readTokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import type { PageQuery } from '../../../kernel/http/schemas.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { ClientInfo } from '../../auth/client-info.ts'
import { type Principal, requireSession } from '../../auth/principal.ts'
import { isAtLeast, type Role } from '../../auth/scopes.ts'
import type { Sessions, Started } from '../../auth/sessions/service.ts'
import type { Users } from '../../auth/users/service.ts'
import type { Members } from '../members/service.ts'
import type { Invite, Join } from './schemas.ts'
import * as store from './store.ts'

const LIFE_SECONDS = 7 * 24 * 3600
const WARNING = 'This link works once and cannot be shown again. Send it to the person it is for.'

type Dependencies = {
  sql: Pool
  now: Clock
  users: Users
  sessions: Sessions
  members: Members
  audit: Audit
  cursors: Cursors
  publicUrl: string
}

export type Invitations = ReturnType<typeof createInvitations>

/** Links with which people join an organization. A link works once, within its lifetime, for one e-mail address. */
export function createInvitations(deps: Dependencies) {
  const { sql, now, users, sessions, members, audit, cursors, publicUrl } = deps

  async function create(organizationId: string, invite: Invite, initiator: Initiator) {
    const email = normalizeEmail(invite.email)
    if (await members.isMember(organizationId, email)) throw invalidRequest('This person is a member already.')
    const token = newToken('invitation')
    const id = newId(now())
    const invitation = await sql.begin(async (tx) => {
      const revoked = await store.revokeOpen(tx, { organizationId, email })
      const created = await store.insertInvitation(tx, {
        organizationId,
        id,
        email,
        role: invite.role,
        invitedBy: initiator.actor.name ?? initiator.actor.type,
        inviterId: initiator.actor.type === 'user' ? initiator.actor.id : null,
        tokenHash: hashToken(token),
        lifeSeconds: LIFE_SECONDS,
      })
      const entry = { organizationId, initiator }
      for (const replaced of revoked) {
        const details = { replaced_by: id }
        await audit.record(tx, { ...entry, action: 'invitation.revoked', target: buildTarget(replaced), details })
      }
      const details = { email, role: invite.role }
      await audit.record(tx, { ...entry, action: 'invitation.created', target: buildTarget(id), details })
      return created
    })
    return { invitation, invitation_url: `${publicUrl}/join/${token}`, warning: WARNING }
  }

  async function findOpen(token: string): Promise<store.OpenInvitation> {
    const open = readTokenKind(token) === 'invitation' && (await store.findOpenByLink(sql, hashToken(token)))
    if (!open) throw notFound('Invitation')
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
        if (!(await store.markRevoked(tx, { organizationId, id }))) throw notFound('Invitation')
        await audit.record(tx, { organizationId, initiator, action: 'invitation.revoked', target: buildTarget(id) })
      })
    },

    async show(token: string) {
      const { organization_name, email, role, expires_at } = await findOpen(token)
      return { organization_name, email, role, expires_at }
    },

    /** The link proves the invitation, not the identity: a person with an account has to send its password. */
    async join(token: string, form: Join, client: ClientInfo): Promise<Started> {
      const open = await findOpen(token)
      const account = (await users.find({ email: open.email }))
        ? await sessions.authenticate({ email: open.email, password: form.password, totp: form.totp }, client)
        : undefined
      const name = account?.name ?? form.name
      if (name === undefined) throw invalidRequest('A name is required.', [{ path: '/name', message: 'is required' }])
      const passwordHash = account ? '' : await users.hashPassword(form.password)

      return sql.begin(async (tx) => {
        const { organization_id: organizationId, id, role } = open
        if (!(await store.markAccepted(tx, { organizationId, id }))) throw notFound('Invitation')
        if (account) await users.lockPassword(tx, account)
        const user = account ?? (await users.register(tx, { email: open.email, name, passwordHash }))
        if (!user) throw invalidRequest('An account with this e-mail was just created. Try again with its password.')
        const { ip, requestId } = client
        const initiator: Initiator = { actor: { type: 'user', id: user.id, name }, ip, requestId }
        await audit.record(tx, { organizationId, initiator, action: 'invitation.accepted', target: buildTarget(id) })
        await members.add(tx, { organizationId, userId: user.id, role, initiator })
        return sessions.start(tx, { userId: user.id, organizationId, client })
      })
    },
  }
}

function buildTarget(id: string) {
  return { type: 'invitation', id }
}

function requireNoHigherRole(own: Role, requested: Role): void {
  if (!isAtLeast(own, requested)) {
    throw new AppError('INSUFFICIENT_SCOPE', `Your role is ${own}, so you cannot invite a member as ${requested}.`)
  }
}
