import { invalidRequest } from '../errors.ts'

/** A period without a moment in it is a mistake of the caller, which an empty page would hide. */
export function refuseReversedPeriod({
  since,
  until,
}: {
  since?: string | undefined
  until?: string | undefined
}): void {
  if (since === undefined || until === undefined || Date.parse(since) < Date.parse(until)) return
  throw invalidRequest('period_reversed')
}
