const LENGTH_MAX = 100

/**
 * Something visible in one line, without control characters and without those that change the direction of a text: pages
 * and mails of the hub show the name to others.
 */
const DISPLAY_NAME = /^(?=.*\S)[^\p{Cc}\u2028-\u202e\u2066-\u2069]+$/u

export const DISPLAY_NAME_RULES = { minLength: 1, maxLength: LENGTH_MAX, pattern: DISPLAY_NAME.source }

export function isDisplayName(name: string): boolean {
  return [...name].length <= LENGTH_MAX && DISPLAY_NAME.test(name)
}
