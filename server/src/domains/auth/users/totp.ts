import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const RECOVERY_CODES = 10
const DIGITS_6 = /^\d{6}$/

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

export function otpauthUrl(secret: string, email: string): string {
  return totp(secret, email).toString()
}

/**
 * The time step that a code belongs to, or null when it is wrong. One step
 * either side is taken for clocks that differ. A step that was used before
 * does not count again, so that a code seen over a shoulder is worthless.
 */
export function findTotpStep(secret: string, code: string, now: Date, lastStep: number): number | null {
  if (!DIGITS_6.test(code)) return null
  const delta = totp(secret, '').validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
  return step > lastStep ? step : null
}

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const hex = randomBytes(8).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8)}`
  })
}

export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.trim().toLowerCase()).digest()
}

function totp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Hubline', label, secret, period: PERIOD_SECONDS, digits: 6, algorithm: 'SHA1' })
}
