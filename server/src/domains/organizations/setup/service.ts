import { hashLetterCode } from '../../../kernel/crypto/letter-code.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidRequest } from '../../../kernel/errors.ts'
import { matchesSetupCode, newSetupCode } from './code.ts'
import type { Setup } from './schemas.ts'
import * as store from './store.ts'

/** For a start that makes sample data. */
export const { isUnused, hasAccount } = store

type Dependencies = {
  sql: Pool
  signUp: 'open' | 'closed'
  isSandbox: boolean
  hasMail: boolean
}

export type FirstRun = ReturnType<typeof createFirstRun>

/**
 * The first account of a hub. Where sign-up is closed, no client could create it: until there is an account, a process prints
 * a code when it starts, and a sign-up with one of the codes creates the account and uses all of them up.
 */
export function createFirstRun({ sql, signUp, isSandbox, hasMail }: Dependencies) {
  return {
    async show(): Promise<Setup> {
      const first_run = !(await store.hasUsers(sql))
      return { sign_up: signUp, first_run, sandbox: isSandbox, two_factor: 'optional', password_reset: hasMail }
    },

    /** A new code for the log; undefined if none is needed. */
    async issueCode(): Promise<string | undefined> {
      if (signUp === 'open' || (await store.hasUsers(sql))) {
        await store.deleteCodes(sql)
        return undefined
      }
      const code = newSetupCode()
      await store.insertCode(sql, hashLetterCode(code))
      return code
    },

    /** Throws unless sign-up is open, or the code with this hash is right and there is no account yet. */
    async requireSignUp(codeHash: Buffer | null): Promise<void> {
      if (signUp === 'open') return
      if (codeHash === null || (await store.hasUsers(sql))) throw signUpClosed()
      if (!matchesSetupCode(codeHash, await store.listCodes(sql))) throw wrongCode()
    },

    /** The same in the transaction of the account, before it is created. */
    async useCode(tx: Tx, codeHash: Buffer | null): Promise<void> {
      if (signUp === 'open') return
      const codes = await store.takeCodes(tx)
      if (codeHash === null || (await store.hasUsers(tx))) throw signUpClosed()
      if (!matchesSetupCode(codeHash, codes)) throw wrongCode()
    },
  }
}

function signUpClosed(): AppError {
  return new AppError('NOT_FOUND', 'sign_up_closed')
}

function wrongCode(): AppError {
  return invalidRequest('setup_code_wrong')
}
