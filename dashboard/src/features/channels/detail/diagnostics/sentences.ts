import { formatMoment } from '../../../../lib/format.ts'
import { currentLanguage } from '../../../../lib/texts.ts'
import { PORTUGUESE } from './portuguese.ts'

const PATTERNS = Object.entries(PORTUGUESE).map(([english, portuguese]) => ({
  pattern: new RegExp(`^${english.split('*').map(escapePattern).join('(.+?)')}$`),
  portuguese,
}))

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A sentence of the hub in the reader's language and time, or as it is where it is not known here. */
export function translateSentence(sentence: string): string {
  return translate(sentence).replace(TIMESTAMP, (at) => formatMoment(at, 'second'))
}

const TIMESTAMP = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

function translate(sentence: string): string {
  if (currentLanguage() !== 'pt-BR') return sentence
  for (const { pattern, portuguese } of PATTERNS) {
    const values = pattern.exec(sentence)?.slice(1)
    if (values) return portuguese.replace(/\*/g, () => values.shift() ?? '')
  }
  return sentence
}
