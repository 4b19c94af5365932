import type { Clock } from '../../kernel/clock.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { invalidRequest } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { toAddressKey } from '../../kernel/net/ip.ts'
import type { Language } from '../../kernel/pages/language.ts'
import { perHour, requireWithinLimit } from '../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../kernel/rate-limit/store.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { Audit } from '../audit/service.ts'
import type { ClientInfo } from '../auth/client-info.ts'
import type { Sessions, Started } from '../auth/sessions/service.ts'
import type { Users } from '../auth/users/service.ts'
import type { Members } from './members/service.ts'
import type { SignUp } from './schemas.ts'
import { requireTimeZone } from './settings/time-zone-setting.ts'
import type { FirstRun } from './setup/service.ts'
import * as store from './store.ts'

/** For the transactions and reads of other domains. */
export const { findOrganization, lockOrganization } = store

const SIGN_UPS_PER_ADDRESS = perHour('sign-up', 20)

type Dependencies = {
  sql: Pool
  now: Clock
  users: Users
  sessions: Sessions
  members: Members
  audit: Audit
  firstRun: FirstRun
}

type NewOrganization = { name: string; initiator: Initiator; language?: Language; timeZone?: string }

export type { LockedOrganization } from './store.ts'
export type Organizations = ReturnType<typeof createOrganizations>

export function createOrganizations({ sql, now, users, sessions, members, audit, firstRun }: Dependencies) {
  async function create(
    tx: Tx,
    { name, initiator, language = 'en', timeZone = 'UTC' }: NewOrganization,
  ): Promise<{ id: string }> {
    const id = newId(now())
    await store.insertOrganization(tx, { id, name, language, timeZone })
    await audit.record(tx, {
      organizationId: id,
      initiator,
      action: 'organization.created',
      target: { type: 'organization', id },
      details: { name },
    })
    return { id }
  }

  return {
    create,

    find: (id: string) => store.findOrganization(sql, id),

    /**
     * Creates a person, their organization and a session in one transaction. A known e-mail gets a general error after the
     * same work, so that neither reveals which e-mails have an account; spec-gaps.md#sign-up.
     */
    async signUp(form: SignUp, client: ClientInfo, language: Language): Promise<Started> {
      requireTimeZone(form.time_zone)
      requireWithinLimit(SIGN_UPS_PER_ADDRESS, await countRequest(sql, SIGN_UPS_PER_ADDRESS, toAddressKey(client.ip)))
      await firstRun.requireSignUp(form.setup_code)
      const passwordHash = await users.hashPassword(form.password, client.ip)
      return sql.begin(async (tx) => {
        await firstRun.useCode(tx, form.setup_code)
        const user = await users.register(tx, { email: form.email, name: form.name, passwordHash })
        if (!user) {
          throw invalidRequest('No account could be created with these details. If you already have one, sign in.')
        }
        const { ip, requestId } = client
        const initiator: Initiator = { actor: { type: 'user', id: user.id, name: form.name }, ip, requestId }
        const organization = await create(tx, {
          name: form.organization_name,
          initiator,
          language,
          ...(form.time_zone && { timeZone: form.time_zone }),
        })
        await members.add(tx, { organizationId: organization.id, userId: user.id, role: 'owner', initiator })
        return sessions.start(tx, { userId: user.id, organizationId: organization.id, client })
      })
    },

    async listForUser(userId: string) {
      return store.listUserOrganizations(sql, userId)
    },

    async exists(id: string): Promise<boolean> {
      return store.organizationExists(sql, id)
    },
  }
}
