import { LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import type { FastifyRequest } from 'fastify'

/** The explicitly chosen language, else the first accepted one that is translated, else the one for everyone else. */
export function chooseLanguage(
  chosen: string | undefined,
  accepted: string | undefined,
  fallback: Language = 'en',
): Language {
  const names = chosen === undefined ? (accepted ?? '').split(',') : [chosen]
  const translated = names.map((name) => LANGUAGES.find((language) => readBase(language) === readBase(name)))
  return translated.find((language) => language !== undefined) ?? fallback
}

/** `pt` of `pt-BR;q=0.8`. */
function readBase(tag: string): string {
  return tag.trim().toLowerCase().split(/[-;]/)[0] ?? ''
}

/** The language of a page, which a link of the page can choose by `?lang=`. */
export function readLanguage({ query, headers }: FastifyRequest, fallback?: Language): Language {
  const { lang } = query as { lang?: unknown }
  return chooseLanguage(typeof lang === 'string' ? lang : undefined, headers['accept-language'], fallback)
}
