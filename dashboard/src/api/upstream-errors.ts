import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLanguage } from '../lib/texts.ts'
import type { UpstreamErrorTexts } from './upstream-error-texts.ts'

/** Explains an error code of the upstream, and what helps. */
type UpstreamErrorText = { title: string; remedy: string }

/** Loaded with the first page that shows an error. */
const textsQuery = queryOptions({
  queryKey: ['upstream-errors'],
  queryFn: async (): Promise<UpstreamErrorTexts> => (await import('./upstream-error-texts.ts')).UPSTREAM_ERRORS,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Undefined for codes that are seldom seen; those have the words of the upstream. */
export function useUpstreamErrors(): (code: number | string | null) => UpstreamErrorText | undefined {
  const { language } = useLanguage()
  const { data } = useQuery(textsQuery)
  return (code) => {
    const text = code === null ? undefined : data?.[Number(code)]?.[language === 'es' ? 'en' : language]
    return text && { title: text[0], remedy: text[1] }
  }
}
