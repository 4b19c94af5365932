import type { UpstreamFailure } from '../../upstream/http/errors.ts'
import type { MessageError } from './status.ts'

/** `released`: certainly not sent, so that the same key may try again. */
export type FailedOutcome = 'refused' | 'released' | 'unknown'

/**
 * A refused credential says nothing about the message, which may be sent once
 * the channel is connected again: spec-gaps.md#a-send-with-a-dead-credential.
 */
export function toOutcome({ kind, isCredentialRefused }: UpstreamFailure): FailedOutcome {
  if (kind === 'unknown-outcome') return 'unknown'
  return kind === 'refused' && !isCredentialRefused ? 'refused' : 'released'
}

export function toMessageError({
  kind,
  code,
  title,
  details,
  error_subcode,
  fbtrace_id,
}: UpstreamFailure): MessageError {
  const words = kind === 'unavailable' && title === null ? 'The upstream could not be reached' : title
  return { code, title: words, details, error_subcode, fbtrace_id }
}
