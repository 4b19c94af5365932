import { invalidRequest, toIssue } from '../../../kernel/errors.ts'
import { isTimeZone } from '../../../kernel/time/time-zone.ts'

/** A schema cannot say which names there are. */
export function requireTimeZone(name: string | undefined): void {
  if (name === undefined || isTimeZone(name)) return
  throw invalidRequest('time_zone_unknown', { issues: [toIssue('/time_zone', 'not_time_zone')] })
}
