import type { ParameterName } from '@hubline/locales/catalog.ts'
import { LANGUAGES, type Language as Tag } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/simulator/en.ts'
import { es } from '@hubline/locales/pages/simulator/es.ts'
import { ptBR } from '@hubline/locales/pages/simulator/pt-BR.ts'
import type { FastifyRequest } from 'fastify'
import { readUrl } from './requests.ts'

type Texts = typeof en

const TEXTS: Record<Tag, Record<keyof Texts, string>> = { en, 'pt-BR': ptBR, es }

type Values<Key extends keyof Texts> = [ParameterName<Texts[Key]>] extends [never]
  ? []
  : [Record<ParameterName<Texts[Key]>, string>]

/** The language of a page and its texts. */
export interface Language {
  tag: Tag
  t<Key extends keyof Texts>(key: Key, ...values: Values<Key>): string
}

/** Reads the language that `lang` names, in the query or a form, else the one that the browser prefers. */
export function readLanguage(request: FastifyRequest, form?: URLSearchParams): Language {
  const chosen = form?.get('lang') ?? readUrl(request).searchParams.get('lang') ?? ''
  const tags = [chosen, ...listAccepted(request.headers['accept-language'])]
  const known = tags.map((tag) => LANGUAGES.find((language) => readBase(language) === readBase(tag)))
  const tag = known.find((found) => found !== undefined) ?? 'en'
  return {
    tag,
    t(key, values: Record<string, string> = {}) {
      return TEXTS[tag][key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
    },
  }
}

/** The languages of an `Accept-Language` header, the preferred one first. */
function listAccepted(header = ''): string[] {
  const ranges = header.split(',').map((range) => {
    const [tag = '', weight] = range.split(/;\s*q=/i)
    return { tag, quality: weight === undefined ? 1 : Number(weight) }
  })
  const accepted = ranges.filter(({ quality }) => quality > 0)
  return accepted.sort((a, b) => b.quality - a.quality).map(({ tag }) => tag)
}

function readBase(tag: string): string {
  return tag.trim().toLowerCase().split('-')[0] ?? ''
}
