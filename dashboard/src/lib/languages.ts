export const LANGUAGES = { en: 'English', 'pt-BR': 'Português' } as const
export type Language = keyof typeof LANGUAGES
