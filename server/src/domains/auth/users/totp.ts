import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
const RECOVERY_CODE_COUNT = 10
const SIX_DIGITS = /^\d{6}$/

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

export function buildOtpauthUrl(secret: string, email: string): string {
  return buildTotp(secret, email).toString()
}

/**
 * The time step of a code, or null if the code is wrong. One step before and after is accepted, for clocks that differ.
 * A step up to `lastStep` is refused: a code works once.
 */
export function findTotpStep(secret: string, code: string, now: Date, lastStep: number): number | null {
  if (!SIX_DIGITS.test(code)) return null
  const delta = buildTotp(secret, '').validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return null
  const step = Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
  return step > lastStep ? step : null
}

export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const hex = randomBytes(8).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8)}`
  })
}

export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.trim().toLowerCase()).digest()
}

function buildTotp(secret: string, label: string): TOTP {
  return new TOTP({ issuer: 'Hubline', label, secret, period: PERIOD_SECONDS, digits: 6, algorithm: 'SHA1' })
}
