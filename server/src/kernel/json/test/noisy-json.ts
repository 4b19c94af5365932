import fc from 'fast-check'

/** A stream of small numbers that decides how a value is printed. */
export type Noise = () => number

const BLANKS = ['', '', '', ' ', '\n', '\r\n', '\t', '   ']

/** Streams that repeat without end. */
export const noises: fc.Arbitrary<Noise> = fc.array(fc.nat(999), { minLength: 1, maxLength: 50 }).map((choices) => {
  let taken = 0
  return () => choices[taken++ % choices.length]!
})

export const jsonValues = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' })

/** Prints the value in one of many ways: whitespace anywhere, any character escaped, keys repeated. */
export function print(value: unknown, noise: Noise): string {
  if (typeof value === 'string') return printText(value, noise)
  if (Array.isArray(value)) return `[${pad('', noise)}${value.map((item) => pad(print(item, noise), noise)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, item]) => {
    const member = printMember(key, item, noise)
    return noise() % 10 === 0 ? `${printMember(key, null, noise)},${member}` : member
  })
  return `{${pad('', noise)}${members.map((member) => pad(member, noise)).join(',')}}`
}

export function printMember(key: string, value: unknown, noise: Noise): string {
  return `${printText(key, noise)}${pad(':', noise)}${print(value, noise)}`
}

/** Adds whitespace before and after. */
export function pad(text: string, noise: Noise): string {
  return `${BLANKS[noise() % BLANKS.length]}${text}${BLANKS[noise() % BLANKS.length]}`
}

function printText(text: string, noise: Noise): string {
  const characters = [...text].map((character) => {
    return noise() % 4 === 0 ? escapeUnits(character) : JSON.stringify(character).slice(1, -1)
  })
  return `"${characters.join('')}"`
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
