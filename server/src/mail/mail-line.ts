import { isolateName } from '../kernel/pages/isolate.ts'

/**
 * A name that people have chosen, for the text of a mail: in one line, in its own direction, and split where a mail program would make a link of
 * it. Otherwise an organization could send its own links to any address, in the name of the hub.
 */
export function toMailLine(name: string): string {
  const line = name
    .replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .replace(/(?<=\S)([.:@])(?=\S)/g, '$1 ')
    .trim()
  return isolateName(line)
}
