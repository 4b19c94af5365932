type Mark = 'bold' | 'italic' | 'struck' | 'code'
export type MarkedPart = { mark: Mark | undefined; text: string }

/** A sign within a word, as in the names of links, marks nothing. */
const MARKS =
  /(?<![\p{L}\p{N}])(?:\*(?<bold>\S(?:[^*\n]*\S)?)\*|_(?<italic>\S(?:[^_\n]*\S)?)_|~(?<struck>\S(?:[^~\n]*\S)?)~|`(?<code>[^`\n]+)`)(?![\p{L}\p{N}])/gu

/** The text of a message as a phone reads it: `*bold*`, `_italic_`, `~struck~` and code. */
export function splitMarks(text: string): MarkedPart[] {
  const parts: MarkedPart[] = []
  let end = 0
  for (const { 0: whole, index, groups = {} } of text.matchAll(MARKS)) {
    const [mark, marked = ''] = Object.entries(groups).find(([, value]) => value !== undefined) ?? []
    parts.push({ mark: undefined, text: text.slice(end, index) }, { mark: mark as Mark, text: marked })
    end = index + whole.length
  }
  return [...parts, { mark: undefined, text: text.slice(end) }].filter((part) => part.text !== '')
}
