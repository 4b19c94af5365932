import type { Check } from '@hubline/sdk/console'
import { formatMoment } from '../../../../lib/format.ts'
import { fill } from '../../../../lib/hub-texts/fill.ts'
import type { HubTexts } from '../../../../lib/hub-texts/hub-texts.ts'

/** Describes the result of a check and its remedy in the reader's language and time zone. For an unknown reason it has the hub's words. */
export function describeCheck(check: Check, texts: HubTexts | undefined): { message: string; remedy: string | null } {
  const { reason, parameters, message, remedy } = check
  const found = texts?.checks.found[reason]
  const { at } = parameters
  const shown = { ...parameters, ...(typeof at === 'string' && { at: formatMoment(at, 'second') }) }
  return {
    message: found === undefined ? message : fill(found, shown),
    remedy: remedy === null ? null : (texts?.checks.remedies[reason] ?? remedy),
  }
}
