import { hash, verify } from '@node-rs/argon2'

export const PASSWORD_LENGTH = { min: 8, max: 200 }

/** OWASP's minimum for argon2id: 19 MiB of memory, two iterations, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST)
}

/** Without a hash (no such account) it does the same work and returns false: the time must not reveal known e-mails. */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  const isMatch = await verify(passwordHash ?? (await decoy), password.normalize('NFC'))
  return isMatch && passwordHash !== undefined
}

const decoy = hashPassword('no account has this password')
