// cspell:disable: these are no words.
/** Rows of keyboards, and the columns that are typed one after another. */
const KEYS = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
]
const COLUMNS = ['1qaz', '2wsx', '3edc', '4rfv', '5tgb', '6yhn', '7ujm']
/** With fewer characters to each run, words would be taken for runs: they have pairs of neighbors too. */
const RUN_LENGTH_MIN = 4
const REPEATS_MIN = 3

const neighbors = new Set([...KEYS, ...COLUMNS, '90', 'za'].flatMap(listPairs))

/** Returns true for what a rule can say shorter: runs of neighbors as in `123456789012`, or a part again and again. */
export function isPredictable(password: string): boolean {
  const characters = [...password.normalize('NFC').toLowerCase()]
  return countRuns(characters) * RUN_LENGTH_MIN <= characters.length || isRepetition(characters)
}

function countRuns(characters: string[]): number {
  return characters.filter((character, at) => !isNeighbor(characters[at - 1], character)).length
}

function isNeighbor(before: string | undefined, character: string): boolean {
  if (before === undefined) return false
  const isNext = /[a-z0-9]/.test(character) && Math.abs(code(before) - code(character)) === 1
  return before === character || isNext || neighbors.has(before + character)
}

function isRepetition(characters: string[]): boolean {
  for (let length = 1; length * REPEATS_MIN <= characters.length; length++) {
    if (characters.every((character, at) => character === characters[at % length])) return true
  }
  return false
}

function listPairs(keys: string): string[] {
  const pairs = Array.from({ length: keys.length - 1 }, (_, at) => keys.slice(at, at + 2))
  return [...pairs, ...pairs.map(([first = '', second = '']) => second + first)]
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0
}
