/**
 * Every language of the dashboard, the pages and the mails, English first: it is the fallback. A language is added here
 * first; the compiler then names each catalog that lacks it.
 */
export const LANGUAGES = ['en', 'pt-BR'] as const
export type Language = (typeof LANGUAGES)[number]

/** What speakers of a language call it. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português' }
