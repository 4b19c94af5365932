import i18next from 'i18next'

export const LANGUAGES = { en: 'English', 'pt-BR': 'Português' } as const
export type Language = keyof typeof LANGUAGES

export function currentLanguage(): Language {
  return i18next.language as Language
}
