import type { Audit } from '../domains/audit/service.ts'
import { createAccount } from '../domains/auth/account/service.ts'
import { createEmailVerifications } from '../domains/auth/email-verifications/service.ts'
import { createPasswordResets } from '../domains/auth/password-resets/service.ts'
import { createSessions } from '../domains/auth/sessions/service.ts'
import { createUsers } from '../domains/auth/users/service.ts'
import { createInvitations } from '../domains/organizations/invitations/service.ts'
import { createMembers } from '../domains/organizations/members/service.ts'
import { createOrganizations } from '../domains/organizations/service.ts'
import { createSettings } from '../domains/organizations/settings/service.ts'
import { createFirstRun } from '../domains/organizations/setup/service.ts'
import { createSignUps } from '../domains/organizations/sign-up/service.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Cursors } from '../kernel/crypto/cursor.ts'
import type { Sealing } from '../kernel/crypto/sealing.ts'
import type { NewToken } from '../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../kernel/db/pool.ts'
import type { Logger } from '../kernel/logger.ts'
import { createMailSender } from '../mail/mail.ts'
import type { Config } from './config/config.ts'

type Base = {
  newToken: NewToken
  sql: Pool
  now: Clock
  processClock: Clock
  logger: Logger
  sealing: Sealing
  cursors: Cursors
  audit: Audit
  /** Authorization reads these from other domains. */
  reads: Parameters<typeof createUsers>[0]['reads']
  isSandbox: boolean
  /** For those whose sessions or rights changed. */
  onAccessChanged: (tx: Tx, concerned: { userId: string } | { organizationId: string }) => void
}

/** The services of people, their sessions and their organizations, for the context. */
export function createPeopleContext(config: Config, base: Base) {
  const { newToken, sql, now, processClock, logger, sealing, cursors, audit, reads, isSandbox, onAccessChanged } = base
  const { publicUrl, signUp } = config
  const users = createUsers({
    sql,
    sealing,
    now,
    processClock,
    reads,
    hasMail: config.mail !== undefined,
  })
  const sessions = createSessions({
    newToken,
    sql,
    users,
    audit,
    now,
    reads,
    onEnded: onAccessChanged,
  })
  const mail = createMailSender({ settings: config.mail, logger })
  const passwordResets = createPasswordResets({ newToken, sql, now, users, sessions, audit, mail, publicUrl })
  const emailVerifications = createEmailVerifications({ newToken, sql, users, sessions, audit, mail, publicUrl })
  const account = createAccount({ sql, users, sessions, passwordResets, audit })
  const members = createMembers({ sql, audit, sessions, users })
  const firstRun = createFirstRun({ sql, signUp, isSandbox, hasMail: config.mail !== undefined })
  const organizations = createOrganizations({ sql, now, audit })
  const signUps = createSignUps({
    newToken,
    sql,
    now,
    users,
    sessions,
    organizations,
    members,
    firstRun,
    mail,
    publicUrl,
    isSandbox,
  })
  const organizationSettings = createSettings({
    sql,
    audit,
    users,
    retention: toRetention(config),
    onAccessChanged,
  })
  const invitations = createInvitations({
    newToken,
    sql,
    now,
    users,
    sessions,
    members,
    audit,
    cursors,
    mail,
    publicUrl,
  })
  return {
    users,
    sessions,
    mail,
    passwordResets,
    emailVerifications,
    account,
    members,
    firstRun,
    organizations,
    signUps,
    organizationSettings,
    invitations,
  }
}

function toRetention({ retentionEventsDays, retentionMessagesDays, retentionAuditDays }: Config) {
  return { events_days: retentionEventsDays, messages_days: retentionMessagesDays, audit_days: retentionAuditDays }
}
