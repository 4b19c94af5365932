import { guideLoaders, guides, indexLoaders, loadReference, operations } from 'virtual:docs'
import type { Language } from '@hubline/locales/languages.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Guide, GuideEntry, Reference } from './content.ts'
import { type Index, joinEntries, prepareIndex } from './search.ts'

export { guides, operations, tags } from 'virtual:docs'

/** Files of the build: they are the same for as long as the page is open. */
const FOREVER = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY, retry: false } as const

export function findGuide(slug: string): GuideEntry | undefined {
  return guides.find((guide) => guide.slug === slug)
}

export function findOperation(id: string) {
  return operations.find((operation) => operation.id === id)
}

/** The wanted language, if the guide exists in it. */
export function chooseVersion({ versions }: GuideEntry, wanted: Language): Language {
  return versions[wanted] ? wanted : 'en'
}

export function guideQuery(slug: string, language: Language) {
  return queryOptions({
    queryKey: ['docs', slug, language],
    queryFn: async (): Promise<Guide> => {
      const load = guideLoaders[`docs-${slug}-${language}`]
      if (!load) throw new Error(`There is no guide ${slug} in ${language}.`)
      const { content, files } = await load()
      return { ...content, files }
    },
    ...FOREVER,
  })
}

export const referenceQuery = queryOptions({
  queryKey: ['docs', 'reference'],
  queryFn: async (): Promise<Reference> => (await loadReference()).reference,
  ...FOREVER,
})

export function indexQuery(language: Language) {
  return queryOptions({
    queryKey: ['docs', 'index', language],
    queryFn: async (): Promise<Index> => {
      const [own = [], english = []] = await Promise.all([...new Set([language, 'en'])].map(loadEntries))
      return prepareIndex(language === 'en' ? own : joinEntries(own, english))
    },
    ...FOREVER,
  })
}

async function loadEntries(language: string) {
  return (await indexLoaders[`docs-index-${language}`]?.())?.entries ?? []
}
