import { PATTERNS } from '../../../kernel/http/validation/patterns.ts'
import { ONE_LINE } from '../../../kernel/one-line.ts'

const LENGTH_MAX = 100

/** Pages and mails of the hub show the name to others. */
export const DISPLAY_NAME_RULES = { minLength: 1, maxLength: LENGTH_MAX, pattern: PATTERNS.not_one_line }

export function isDisplayName(name: string): boolean {
  return [...name].length <= LENGTH_MAX && ONE_LINE.test(name)
}
