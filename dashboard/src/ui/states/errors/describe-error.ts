import type { Language } from '@hubline/locales/languages.ts'
import { HubError } from '@hubline/sdk'
import { createSentenceFinder } from '../../../lib/sentences.ts'
import { CODE_TEXTS, CODES_WITH_REASON } from './code-texts.ts'
import { FIELD_SENTENCES, HUB_SENTENCES } from './hub-sentences.ts'

const findPortuguese = createSentenceFinder(HUB_SENTENCES)
const FIELD_FINDERS = {
  en: createSentenceFinder(FIELD_SENTENCES.en),
  'pt-BR': createSentenceFinder(FIELD_SENTENCES['pt-BR']),
}

/** `reason` is what the hub says, in English, where the text of the code alone would leave out the cause. */
export type ErrorDescription = { message: string; reason: string | undefined }

/**
 * The messages of the hub are English and written for programs too. A sentence that is known here is shown in the
 * language of the reader, any other as the text of its code.
 */
export function describeHubError({ code, message }: Pick<HubError, 'code' | 'message'>, language: Language) {
  const translated = findPortuguese(message)
  if (translated !== undefined) return { message: language !== 'pt-BR' ? message : translated, reason: undefined }
  const text = CODE_TEXTS[code]?.[language === 'es' ? 'en' : language]
  if (text === undefined) return { message, reason: undefined }
  const isSaid = text === message || !CODES_WITH_REASON.includes(code)
  return { message: text, reason: isSaid ? undefined : message }
}

/** What is wrong with a field of the request body, if the hub has refused it. */
export function describeFieldError(error: unknown, field: string, language: Language): string | undefined {
  if (!(error instanceof HubError)) return undefined
  const { issues = [] } = (error.details ?? {}) as { issues?: { path: string; message: string }[] }
  const issue = issues.find(({ path }) => path === `/${field}`)
  return issue && (FIELD_FINDERS[language === 'es' ? 'en' : language](issue.message) ?? issue.message)
}
