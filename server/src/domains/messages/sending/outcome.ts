import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import type { MessageError } from '../status.ts'

/** `not-sent`: certainly not sent, so the key is free for another request. */
export type FailedOutcome = 'refused' | 'not-sent' | 'unknown'

/**
 * A refused credential says nothing about the message, which may be sent once
 * the channel is connected again: contract.md#send.dead-credential-frees-the-key.
 */
export function toOutcome({ kind, isCredentialRefused }: UpstreamFailure): FailedOutcome {
  if (kind === 'unknown-outcome') return 'unknown'
  return kind === 'refused' && !isCredentialRefused ? 'refused' : 'not-sent'
}

/** The account is locked, or the number is not registered: what is wrong lies in the channel, not in the message. */
const CHANNEL_CODES = new Set([131031, 133010])

export function isAboutChannel({ code }: UpstreamFailure): boolean {
  return code !== null && CHANNEL_CODES.has(code)
}

export function toMessageError(failure: UpstreamFailure): MessageError {
  const { kind, code, details, error_subcode, fbtrace_id } = failure
  const title = failure.title ?? (kind === 'unavailable' ? 'The upstream could not be reached' : null)
  return { code, title, details, error_subcode, fbtrace_id }
}
