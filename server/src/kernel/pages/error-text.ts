import { en } from '@hubline/locales/errors/en.ts'
import { es } from '@hubline/locales/errors/es.ts'
import { ptBR } from '@hubline/locales/errors/pt-BR.ts'
import type { Language } from '@hubline/locales/languages.ts'
import type { AppError, ErrorCode } from '../errors.ts'
import { fillText } from './fill-text.ts'

const SENTENCES: Record<Language, Record<ErrorCode, Readonly<Record<string, string>>>> = { en, 'pt-BR': ptBR, es }

/** The sentence of an error's reason in the language of the reader, with its values. */
export function translateError(language: Language, { code, reason, message, details }: AppError): string {
  const sentence = SENTENCES[language][code][reason]
  return sentence === undefined ? message : fillText(sentence, details.parameters)
}
