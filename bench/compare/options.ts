/** The possible comparisons. `inbound` has three figures: with one message a callback, with fifty, and with one status. */
export const PATHS = ['send', 'inbound', 'deliver'] as const
export type PathName = (typeof PATHS)[number]

export type CompareOptions = { ref: string; rounds: number; paths: readonly PathName[]; isJson: boolean }

type Values = { with?: string | undefined; rounds?: string | undefined; json?: boolean | undefined }

/** The options of `compare`, or the sentence that says what is wrong with them. */
export function readCompareOptions(names: string[], values: Values): CompareOptions | string {
  const { with: ref, rounds = '9', json: isJson = false } = values
  const unknown = names.filter((name) => !PATHS.some((path) => path === name))
  if (unknown.length > 0) return `compare knows no ${unknown.join(', ')}. It has: ${PATHS.join(', ')}.`
  if (ref === undefined || ref === '') return 'compare needs --with and a commit, a branch or a tag.'
  if (!/^[1-9]\d*$/.test(rounds)) return '--rounds is a whole number above 0.'
  const paths = names.length === 0 ? PATHS : PATHS.filter((path) => names.includes(path))
  return { ref, rounds: Number(rounds), paths, isJson }
}
