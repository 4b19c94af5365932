/** The QR code is white on black in any theme, because some cameras do not read an inverted one. */
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, qr: '97;40' }

const RESET = '\u001b[0m'
/** `createPaint` adds one of these to a text. */
const OWN_SEQUENCES = new Set([RESET, ...Object.values(STYLES).map((code) => `\u001b[${code}m`)])

export type Style = keyof typeof STYLES
export type Paint = (style: Style, text: string) => string

type Env = Record<string, string | undefined>

/** Colors are for people: only on a terminal, and not where NO_COLOR is set (no-color.org). */
export function createPaint(isTerminal: boolean, env: Env): Paint {
  const isColored = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return (style, text) => (isColored && text !== '' ? `\u001b[${STYLES[style]}m${text}${RESET}` : text)
}

export type Cell = string | { text: string; style: Style }

/** Columns that are as wide as their widest cell, with two spaces between them. */
export function formatTable(head: string[], rows: Cell[][], paint: Paint): string {
  const texts = [head, ...rows].map((row) => row.map((cell) => sanitize(typeof cell === 'string' ? cell : cell.text)))
  const widths = head.map((_, column) => Math.max(...texts.map((row) => measure(row[column] ?? ''))))
  return texts
    .map((row, index) => {
      const cells = row.map((text, column) => {
        const isLast = column === row.length - 1
        const padded = isLast ? text : text + ' '.repeat((widths[column] ?? 0) - measure(text))
        const cell = index === 0 ? undefined : rows[index - 1]?.[column]
        if (index === 0) return paint('dim', padded)
        return typeof cell === 'object' ? paint(cell.style, padded) : padded
      })
      return cells.join('  ').trimEnd()
    })
    .join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence that sets a style begins with one
const STYLE_SEQUENCE = /(\u001b\[[\d;]+m)/

/** Text of others may hold sequences that change the terminal; and a cell is one line. */
export function sanitize(text: string): string {
  return text.replace(CONTROL, ' ')
}

/** The messages of other programs end in a period or without one. */
export function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The last filter of all that is printed: only line ends and the sequences of `createPaint` control the terminal. */
export function guardLines(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .split(STYLE_SEQUENCE)
        .map((part) => (OWN_SEQUENCES.has(part) ? part : sanitize(part)))
        .join(''),
    )
    .join('\n')
}

/** JSON leaves some characters as they are that control a terminal. Escaped they are the same text. */
export function toPrintableJson(value: unknown): string {
  const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(CONTROL, toEscape)
}

/** Characters, not UTF-16 units; wide ones count as two. */
function measure(text: string): number {
  let width = 0
  for (const character of text)
    width += /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]/u.test(character) ? 2 : 1
  return width
}
