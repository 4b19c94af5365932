import type { Clock } from '../../../kernel/clock.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { SealedColumn, SealedPlace, Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { AccessReads } from '../authentication-store.ts'
import { requireUncommonPassword } from './common-passwords.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import * as store from './store.ts'
import { buildOtpauthUrl, findTotpStep, hashRecoveryCode, newRecoveryCodes, newTotpSecret } from './totp.ts'

const TOTP_SECRET: SealedColumn = { table: 'users', column: 'totp_secret', isGlobal: true }

export type Credentials = { email: string; password: string; totp?: string | undefined }

type Dependencies = {
  sql: Pool
  sealing: Sealing
  now: Clock
  processClock: Clock
  reads: AccessReads
  /** True if the hub can verify an e-mail: then a second factor needs a verified one. */
  hasMail: boolean
}

export type User = store.User
export type Users = ReturnType<typeof createUsers>

/** People and their credentials: a password, and a second factor where one is set up. */
export function createUsers({ sql, sealing, now, processClock, reads, hasMail }: Dependencies) {
  /** Otherwise an attacker could lock the owner of the address out. An e-mail that is verified stays so. */
  function requireVerifiedEmail(user: store.User): void {
    if (!hasMail || user.email_verified_at !== null) return
    throw new AppError('CONFLICT', 'email_not_verified', { details: { reason: 'email_not_verified' } })
  }

  return {
    async find(key: { email: string } | { id: string }) {
      return store.findUser(sql, 'email' in key ? { email: normalizeEmail(key.email) } : key)
    },

    /** Throws the same error for an unknown e-mail as for a wrong password. */
    async requirePassword({ email, password }: Credentials, ip: string | null): Promise<store.User> {
      const user = await store.findUser(sql, { email: normalizeEmail(email) })
      if (!(await passwordMatches(user?.password_hash, password, ip)) || !user) throw wrongPassword()
      return user
    },

    /**
     * Uses up a code of the second factor. Returns the error for the client if the code is missing or wrong. Recovery
     * codes still work if the TOTP secret cannot be decrypted.
     */
    async useCode(user: store.User, code: string | undefined): Promise<AppError | undefined> {
      const secret = sealing.open(user.totp_secret ?? '', toSealedPlace(user.id))
      const fault = secret === undefined ? new Error(`The sealed TOTP secret of ${user.id} cannot be decrypted`) : null
      if (code === undefined) return wrongCode(fault)
      const step = secret === undefined ? null : findTotpStep(secret, code, processClock(), Number(user.totp_last_step))
      const isRight =
        step === null
          ? await store.spendRecoveryCode(sql, user.id, hashRecoveryCode(code))
          : await store.spendTotpStep(sql, user.id, step)
      return isRight ? undefined : wrongCode(fault)
    },

    async register(
      tx: Tx,
      u: { email: string; name: string; passwordHash: string; isEmailVerified: boolean },
    ): Promise<{ id: string } | undefined> {
      const id = newId(now())
      const isNew = await store.insertUser(tx, { id, ...u, email: normalizeEmail(u.email) })
      return isNew ? { id } : undefined
    },

    /** Throws if the password or the second factor changed since it was verified, and holds both until the transaction ends. */
    async lockCredentials(tx: Tx, user: store.User): Promise<void> {
      if (!(await store.lockCredentials(tx, user))) throw wrongPassword()
    },

    /** Deletes those of the people who belong to no organization, with their sessions, and returns how many. */
    async deleteWithoutOrganization(tx: Tx, userIds: readonly string[]): Promise<number> {
      await store.lockUsers(tx, userIds)
      return store.deleteWithoutOrganization(tx, userIds, reads)
    },

    /** Serializes with other changes of the person until the transaction ends. */
    async lock(tx: Tx, userId: string): Promise<void> {
      await store.lockUser(tx, userId)
    },

    /** Returns true if the person has a second factor. Serializes with a change of it until the transaction ends. */
    async lockSecondFactor(tx: Tx, userId: string): Promise<boolean> {
      return store.lockSecondFactor(tx, userId)
    },

    /** Throws while an organization of the person requires a second factor. */
    async requireSecondFactorOptional(tx: Tx, userId: string): Promise<void> {
      const name = await store.findRequiringOrganization(tx, userId, reads)
      if (name === undefined) return
      throw new AppError('CONFLICT', 'second_factor_of_organization', { parameters: { organization: name } })
    },

    /** The name of the person. Serializes with a change of it until the transaction ends. */
    async lockName(tx: Tx, userId: string): Promise<string> {
      const name = await store.lockName(tx, userId)
      if (name === undefined) throw notFound('account_not_found')
      return name
    },

    async setName(tx: Tx, userId: string, name: string): Promise<void> {
      await store.updateName(tx, userId, name)
    },

    async setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
      await store.updatePassword(tx, userId, passwordHash)
    },

    /** For a password that a person chooses. `path` is where it stands in the request. */
    async hashPassword(password: string, ip: string | null, path = '/password'): Promise<string> {
      requireUncommonPassword(password, path)
      return hashPassword(password, ip)
    },

    passwordMatches,

    /** Throws if a second factor exists, or must not be set yet. */
    async requireTotpAllowed(userId: string): Promise<void> {
      const user = await store.findUser(sql, { id: userId })
      if (!user) throw notFound('account_not_found')
      if (user.totp_enabled_at) throw secondFactorExists()
      requireVerifiedEmail(user)
    },

    /** A sign-in requires the second factor only after `confirmTotp`. */
    async beginTotp(tx: Tx, user: { id: string; email: string }) {
      const secret = newTotpSecret()
      const isPending = await store.updatePendingTotp(tx, user.id, sealing.seal(secret, toSealedPlace(user.id)))
      if (!isPending) throw secondFactorExists()
      return { secret, otpauth_url: buildOtpauthUrl(secret, user.email) }
    },

    async confirmTotp(tx: Tx, userId: string, code: string): Promise<{ recovery_codes: string[] }> {
      const user = await store.findUser(tx, { id: userId })
      if (!user?.totp_secret || user.totp_enabled_at) throw invalidRequest('second_factor_not_begun')
      requireVerifiedEmail(user)
      const secret = sealing.open(user.totp_secret, toSealedPlace(userId))
      const step = secret === undefined ? null : findTotpStep(secret, code, processClock(), 0)
      if (step === null) throw invalidRequest('second_factor_code_wrong')
      const codes = newRecoveryCodes()
      const codeHashes = codes.map(hashRecoveryCode)
      const isEnabled = await store.enableTotp(tx, { id: userId, sealedSecret: user.totp_secret, step, codeHashes })
      if (!isEnabled) throw invalidRequest('second_factor_replaced')
      return { recovery_codes: codes }
    },

    async disableTotp(tx: Tx, userId: string): Promise<void> {
      await store.disableTotp(tx, userId)
    },

    /** Returns false if the e-mail was verified before. */
    async verifyEmail(tx: Tx, userId: string): Promise<boolean> {
      return store.markEmailVerified(tx, userId)
    },

    /**
     * Turns the second factor off if the e-mail had never been verified when it was set: the person who set it may not be
     * the owner of the e-mail. Returns whether there was one.
     */
    async removeFactorSetUnverified(tx: Tx, userId: string): Promise<boolean> {
      if (!(await store.hasFactorSetUnverified(tx, userId))) return false
      await store.disableTotp(tx, userId)
      return true
    },

    /** Encrypts every stored secret again with the first key of the ring. */
    async reseal() {
      return resealColumn(sql, sealing, TOTP_SECRET)
    },
  }
}

/** Users belong to no organization. */
function toSealedPlace(userId: string): SealedPlace {
  return { ...TOTP_SECRET, organizationId: '', rowId: userId }
}

function wrongPassword(): AppError {
  return new AppError('UNAUTHORIZED', 'password_wrong')
}

/** If the secret could not be decrypted, the client gets the same error, and the log has the cause. */
function wrongCode(fault: Error | null): AppError {
  return new AppError('UNAUTHORIZED', 'second_factor_required', {
    details: { totp_required: true },
    ...(fault && { cause: fault }),
  })
}

function secondFactorExists(): AppError {
  return invalidRequest('second_factor_exists')
}
