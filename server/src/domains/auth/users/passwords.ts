import { hash, verify } from '@node-rs/argon2'

export const PASSWORD_LENGTH = { min: 8, max: 200 }

/** argon2id with the memory and rounds that OWASP names as the least: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), COST)
}

/**
 * Whether the password is the one that was hashed. Without a hash (no such
 * account) it does the same work and says no, so that the time taken does not
 * tell whether an e-mail is known.
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  const isMatch = await verify(passwordHash ?? (await decoy), password.normalize('NFC'))
  return isMatch && passwordHash !== undefined
}

const decoy = hashPassword('no account has this password')
