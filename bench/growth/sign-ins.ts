import { hashToken, newToken } from '../../server/src/kernel/crypto/tokens.ts'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import type { GrowthHub } from './growth-hub.ts'
import type { Step } from './step.ts'

/** People of other organizations: a new password ends the sessions of its person. */
const PEOPLE = 5
const PASSWORD = 'correct horse battery staple'

/** A person shows and uses the link for a new password, and signs in with it. */
export async function listSignIns(sql: Pool, { request }: GrowthHub): Promise<Step[]> {
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ n, token: newToken('password_reset') }))
  for (const { n, token } of people) {
    await sql`
      insert into password_resets (id, user_id, token_hash, expires_at)
      values (hub_id(), growth_id('2026-01-01', ${n}), ${hashToken(token)}, hub_now() + interval '1 hour')`
  }
  async function run(i: number): Promise<void> {
    const person = people[i % PEOPLE]
    const path = `/console/password-reset/${person?.token}`
    await request('GET', path)
    await request('POST', path, { password: PASSWORD })
    await request('POST', '/console/sign-in', { email: `${person?.n}@example.com`, password: PASSWORD })
  }
  return [{ name: 'password reset and sign-in', times: PEOPLE, run }]
}
