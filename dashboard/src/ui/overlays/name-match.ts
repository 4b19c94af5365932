/**
 * Returns true if a person has typed a name as it is shown: a page folds white space and does not show characters that have no
 * width, which therefore cannot be asked for.
 */
export function isNameTyped(typed: string, name: string): boolean {
  return toVisible(typed) === toVisible(name)
}

function toVisible(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
