import { hash, verify } from '@node-rs/argon2'
import { toAddressKey } from '../../../kernel/net/ip.ts'
import { createWorkQueue } from '../../../kernel/work-queue.ts'

export const PASSWORD_LENGTH = { min: 8, max: 200 }

/** Counts characters as the schemas of the API do. */
export function hasAllowedLength(password: string): boolean {
  const { length } = [...password]
  return length >= PASSWORD_LENGTH.min && length <= PASSWORD_LENGTH.max
}

/** OWASP's minimum for argon2id: 19 MiB of memory, two iterations, one thread. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Each hash takes a core and its memory; hashes of all tenants together must leave a core to everything else. Addresses
 * have their turns one after the other, so that one that tries passwords does not keep others from signing in.
 */
const queue = createWorkQueue({ runningMax: 2, waitingMax: 50, ownerWaitingMax: 12 })

/** `ip` is the address of the client that asks for it, if there is one. */
export function hashPassword(password: string, ip: string | null): Promise<string> {
  return queue.run(() => hash(password.normalize('NFC'), COST), toAddressKey(ip))
}

/** Without a hash (no such account) it does the same work and returns false: the time must not reveal known e-mails. */
export async function passwordMatches(
  passwordHash: string | undefined,
  password: string,
  ip: string | null,
): Promise<boolean> {
  const expected = passwordHash ?? (await decoy)
  const isMatch = await queue.run(() => verify(expected, password.normalize('NFC')), toAddressKey(ip))
  return isMatch && passwordHash !== undefined
}

const decoy = hashPassword('no account has this password', null)
