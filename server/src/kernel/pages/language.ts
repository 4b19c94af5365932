import type { FastifyRequest } from 'fastify'

export const LANGUAGES = ['en', 'pt-BR'] as const
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português' }

/** The explicitly chosen language, else the first accepted one that is translated, else the one for everyone else. */
export function chooseLanguage(
  chosen: string | undefined,
  accepted: string | undefined,
  fallback: Language = 'en',
): Language {
  const names = chosen === undefined ? (accepted ?? '').split(',') : [chosen]
  const translated = names.map((name) =>
    LANGUAGES.find((language) => language.slice(0, 2) === name.trim().slice(0, 2).toLowerCase()),
  )
  return translated.find((language) => language !== undefined) ?? fallback
}

/** The language of a page, which a link of the page can choose by `?lang=`. */
export function readLanguage({ query, headers }: FastifyRequest, fallback?: Language): Language {
  const { lang } = query as { lang?: unknown }
  return chooseLanguage(typeof lang === 'string' ? lang : undefined, headers['accept-language'], fallback)
}
