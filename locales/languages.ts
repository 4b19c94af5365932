/**
 * Every language of the dashboard, the pages and the mails, English first: it is the fallback. A language is added here
 * first; the compiler then names each catalog that lacks it.
 */
export const LANGUAGES = ['en', 'pt-BR', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The name of each language in the language itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português', es: 'Español' }

/** The locale for the numbers and dates of each language: Spanish has those of Latin America. */
export const INTL_LOCALES: Record<Language, string> = { en: 'en', 'pt-BR': 'pt-BR', es: 'es-419' }
