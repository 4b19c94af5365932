import { AppError } from '../../kernel/errors.ts'
import { isSameText } from './signature.ts'

/** The upstream's verification request for the address of callbacks. */
export type Verification = { mode?: string; token?: string; challenge?: string }

/** Returns the challenge if the verify token is right. */
export function readChallenge({ mode, token, challenge }: Verification, verifyToken: string): string {
  if (mode !== 'subscribe' || challenge === undefined || !isSameText(token ?? '', verifyToken)) {
    throw new AppError('UNAUTHORIZED', 'verify_token_wrong')
  }
  return challenge
}
