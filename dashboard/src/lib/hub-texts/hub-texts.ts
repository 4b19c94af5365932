import type { Language } from '@hubline/locales/languages.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLanguage } from '../texts.ts'

type Texts = Readonly<Record<string, string>>

/** The texts for the codes and reasons of the hub and WhatsApp. A newer hub may have some that are missing here. */
export type HubTexts = {
  errors: Readonly<Record<string, Texts>>
  codes: Texts
  issues: Texts
  fields: Texts
  checks: { found: Texts; remedies: Texts }
  upstreamErrors: Readonly<Record<number, { title: string; remedy: string }>>
}

const LOADERS: Record<Language, () => Promise<{ texts: HubTexts }>> = {
  en: () => import('./hub-en.ts'),
  'pt-BR': () => import('./hub-pt-BR.ts'),
  es: () => import('./hub-es.ts'),
}

/** Loaded after the first page, and kept. */
export function hubTextsQuery(language: Language) {
  return queryOptions({
    queryKey: ['hub-texts', language],
    queryFn: async () => (await LOADERS[language]()).texts,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Undefined until they are loaded: then the hub's own English is shown. */
export function useHubTexts(): HubTexts | undefined {
  return useQuery(hubTextsQuery(useLanguage().language)).data
}
