import { formatMoment } from '../../../../lib/format.ts'
import { currentLanguage } from '../../../../lib/languages.ts'
import { createSentenceFinder } from '../../../../lib/sentences.ts'
import { PORTUGUESE } from './portuguese.ts'

const TIMESTAMP = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const findPortuguese = createSentenceFinder(PORTUGUESE)

/** A sentence of the hub in the reader's language and time, or as it is where it is not known here. */
export function translateSentence(sentence: string): string {
  const translated = currentLanguage() === 'pt-BR' ? findPortuguese(sentence) : undefined
  return (translated ?? sentence).replace(TIMESTAMP, (at) => formatMoment(at, 'second'))
}
