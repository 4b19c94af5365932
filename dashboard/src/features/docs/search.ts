import { fold } from '../../lib/fold.ts'
import type { SearchEntry } from './content.ts'

export type Index = readonly IndexedEntry[]
type IndexedEntry = { entry: SearchEntry; heading: string; words: string; text: string }

/** A part of a text, and whether it was searched for. */
export type Piece = { text: string; isFound: boolean }
export type Result = { entry: SearchEntry; context: Piece[] }

const RESULTS_MAX = 12
const CONTEXT_LENGTH = 140
const BEFORE_MATCH = 40

/** The guides in the language of the reader, and in English what does not exist in it. */
export function joinEntries(own: readonly SearchEntry[], english: readonly SearchEntry[]): SearchEntry[] {
  const translated = new Set(own.map(readGuide))
  return [...own, ...english.filter((entry) => readGuide(entry) === undefined || !translated.has(readGuide(entry)))]
}

function readGuide({ target }: SearchEntry): string | undefined {
  return 'guide' in target ? target.guide : undefined
}

export function prepareIndex(entries: readonly SearchEntry[]): Index {
  return entries.map((entry) => {
    const heading = fold(entry.section ?? entry.title)
    const text = fold(entry.text)
    return { entry, heading, text, words: `${fold(entry.title)} ${heading} ${text}` }
  })
}

/** Entries with every word of the query, the best first: those with the words in their heading, and at the beginning of a word. */
export function searchDocs(index: Index, query: string): Result[] {
  const words = readWords(query)
  if (words.length === 0) return []
  return index
    .filter((one) => words.every((word) => one.words.includes(word)))
    .map((one) => ({ one, score: score(one, words) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ one: { entry } }) => ({ entry, context: readContext(entry.text, words) }))
}

export function readWords(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/).filter(Boolean))]
}

function score({ entry, heading, text }: IndexedEntry, words: readonly string[]): number {
  const exact = heading === words.join(' ') ? 20 : 0
  return words.reduce((sum, word) => {
    const inHeading = startsWord(heading, word) ? 10 : heading.includes(word) ? 4 : 0
    const inTitle = startsWord(fold(entry.title), word) ? 3 : 0
    const inText = startsWord(text, word) ? 2 : text.includes(word) ? 1 : 0
    // A text that says the word often is about it.
    const often = Math.min(4, text.split(word).length - 1) / 2
    return sum + inHeading + inTitle + inText + often
  }, exact)
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true
  }
  return false
}

/** The words around the first match in the text, or its beginning. */
export function readContext(text: string, words: readonly string[]): Piece[] {
  const folded = fold(text)
  // A letter that is several when it is folded would move the match.
  const isAligned = folded.length === text.length
  const first = isAligned ? Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0)) : 0
  const match = Number.isFinite(first) ? first : 0
  const start = match > BEFORE_MATCH ? text.indexOf(' ', match - BEFORE_MATCH) + 1 : 0
  const from = start > match ? match : start
  const part = text.slice(from, from + CONTEXT_LENGTH)
  const whole = `${from > 0 ? '… ' : ''}${part}${from + part.length < text.length ? ' …' : ''}`
  return markWords(whole, words)
}

/** The text in pieces, with those apart that are one of the words. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const folded = fold(text)
  if (folded.length !== text.length) return [{ text, isFound: false }]
  const pieces: Piece[] = []
  let end = 0
  while (end < text.length) {
    const next = words
      .map((word) => ({ word, at: folded.indexOf(word, end) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0]
    if (!next) break
    if (next.at > end) pieces.push({ text: text.slice(end, next.at), isFound: false })
    end = next.at + next.word.length
    pieces.push({ text: text.slice(next.at, end), isFound: true })
  }
  return end < text.length ? [...pieces, { text: text.slice(end), isFound: false }] : pieces
}
