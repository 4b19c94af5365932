import { createApiKeys } from '../domains/api-keys/service.ts'
import { createAudit } from '../domains/audit/service.ts'
import { createAuth } from '../domains/auth/service.ts'
import { createSessions } from '../domains/auth/sessions/service.ts'
import { createUsers } from '../domains/auth/users/service.ts'
import { createInvitations } from '../domains/organizations/invitations/service.ts'
import { createMembers } from '../domains/organizations/members/service.ts'
import { createOrganizations } from '../domains/organizations/service.ts'
import type { Clock } from '../kernel/clock.ts'
import { createCursors } from '../kernel/crypto/cursor.ts'
import type { KeyRing } from '../kernel/crypto/key-ring.ts'
import { createSealing } from '../kernel/crypto/sealing.ts'
import type { Pool } from '../kernel/db/pool.ts'
import type { Config } from './config.ts'

export type Context = ReturnType<typeof createContext>

/** The only place where services are made. Each lists exactly what it needs. */
export function createContext(
  config: Pick<Config, 'publicUrl' | 'signUp'>,
  { sql, keyRing, now }: { sql: Pool; keyRing: () => KeyRing; now: Clock },
) {
  const { publicUrl, signUp } = config
  const sealing = createSealing(keyRing)
  const cursors = createCursors(() => keyRing()[0].bytes)
  const audit = createAudit({ sql, cursors, now })
  const auth = createAuth({ sql, now })
  const users = createUsers({ sql, sealing, now })
  const sessions = createSessions({ sql, users, audit, now })
  const members = createMembers({ sql, audit })
  const organizations = createOrganizations({ sql, now, users, sessions, members, audit, signUp })
  const invitations = createInvitations({ sql, now, users, sessions, members, audit, publicUrl })
  const apiKeys = createApiKeys({ sql, auth, audit, now })
  return { sql, now, sealing, audit, auth, users, sessions, members, organizations, invitations, apiKeys }
}
