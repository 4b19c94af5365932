import { invalidRequest } from '../../../kernel/errors.ts'
import { isTimeZone } from '../../../kernel/time/time-zone.ts'

/** A schema cannot say which names there are. */
export function requireTimeZone(name: string | undefined): void {
  if (name === undefined || isTimeZone(name)) return
  const issue = { path: '/time_zone', message: 'must be an IANA name, such as America/Sao_Paulo' }
  throw invalidRequest('The time zone is not known.', [issue])
}
