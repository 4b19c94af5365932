import { LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import type { FastifyRequest } from 'fastify'

/** The language that was chosen; without one that is translated, the one that the reader prefers; else the fallback. */
export function chooseLanguage(
  chosen: string | undefined,
  accepted: string | undefined,
  fallback: Language = 'en',
): Language {
  const languages = [chosen ?? '', ...listAccepted(accepted)].map(findLanguage)
  return languages.find((language) => language !== undefined) ?? fallback
}

/** The languages of an `Accept-Language` header, the preferred one first: `es;q=0.5, pt` is `pt`, `es`. */
function listAccepted(header = ''): string[] {
  const ranges = header.split(',').map((range) => {
    const [tag = '', weight] = range.split(/;\s*q=/i)
    return { tag, quality: weight === undefined ? 1 : Number(weight) }
  })
  // A weight of 0 refuses a language, and one that is no number says nothing.
  const accepted = ranges.filter(({ quality }) => quality > 0)
  return accepted.sort((a, b) => b.quality - a.quality).map(({ tag }) => tag)
}

/** Finds `pt-BR` for `pt-PT`: a variant is better understood than another language. */
function findLanguage(tag: string): Language | undefined {
  return LANGUAGES.find((language) => readBase(language) === readBase(tag))
}

/** The `pt` of `pt-BR`. */
function readBase(tag: string): string {
  return tag.trim().toLowerCase().split('-')[0] ?? ''
}

/** The language of a page, which a link of the page can choose by `?lang=`. The first counts, as it does in a browser. */
export function readLanguage({ query, headers }: FastifyRequest, fallback?: Language): Language {
  const { lang } = query as { lang?: string | string[] }
  const [chosen] = [lang].flat()
  return chooseLanguage(chosen, headers['accept-language'], fallback)
}
