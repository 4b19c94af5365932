import { INTL_LOCALES, LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import i18next from 'i18next'

export function currentLanguage(): Language {
  return i18next.language as Language
}

/** For the formats of numbers and dates. */
export function currentLocale(): string {
  return INTL_LOCALES[currentLanguage()]
}

/** The first of the given tags that is one of our languages: Portuguese of Portugal is understood as that of Brazil. */
export function findLanguage(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const [base] = tag.toLowerCase().split('-')
    const language = LANGUAGES.find((name) => name.split('-')[0] === base)
    if (language !== undefined) return language
  }
  return undefined
}
