import { randomUUID } from 'node:crypto'

const VERSION_AT = 14

/**
 * A new claim token. For a worker that holds its lock it is a UUID of version 8 that begins with the lock's key: other
 * workers see by the lock whether the claim is still worked on. Any other claim ends by its lease.
 */
export function buildClaimToken(lockKey: number | null): string {
  const random: string = randomUUID()
  if (lockKey === null) return random
  const worker = lockKey.toString(16).padStart(8, '0')
  return `${worker}${random.slice(worker.length, VERSION_AT)}8${random.slice(VERSION_AT + 1)}`
}
