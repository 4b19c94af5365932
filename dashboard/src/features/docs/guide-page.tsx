import { LANGUAGE_NAMES, LANGUAGES } from '@hubline/locales/languages.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCrumb } from '../../lib/crumb.ts'
import { useLanguage } from '../../lib/texts.ts'
import { ButtonLink } from '../../ui/controls/button.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Page, PageHeader } from '../../ui/data/card.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states/list-states.tsx'
import { Blocks, findHeading } from './blocks.tsx'
import { ChannelBar } from './channel-bar.tsx'
import { isOfChannel } from './code-view.tsx'
import type { Block, Guide, GuideEntry } from './content.ts'
import { chooseVersion, findGuide, guideQuery } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'
import { OperationPane } from './operation-pane.tsx'

const route = getRouteApi('/docs/layout/$guide')

export function GuidePage() {
  const t = useDocsTexts()
  const { guide: slug } = route.useParams()
  const entry = findGuide(slug)
  if (entry) return <GuideLoader entry={entry} />
  return (
    <Page>
      <EmptyState
        title={t('guideNotFound')}
        actions={
          <ButtonLink to="/docs/$guide" params={{ guide: 'quick-start' }}>
            {t('toGuides')}
          </ButtonLink>
        }
      />
    </Page>
  )
}

function GuideLoader({ entry }: { entry: GuideEntry }) {
  const t = useDocsTexts()
  const { language: own } = useLanguage()
  const { language: wanted = own } = route.useSearch()
  const language = chooseVersion(entry, wanted)
  const { data, isPending, error, refetch } = useQuery(guideQuery(entry.slug, language))
  useCrumb(entry.versions[language]?.title)
  if (error) return <ErrorState title={t('failed')} error={error} onRetry={() => void refetch()} />
  if (isPending) return <Skeleton />
  return <GuideText key={`${entry.slug} ${language}`} guide={data} entry={entry} />
}

function GuideText({ guide, entry }: { guide: Guide; entry: GuideEntry }) {
  const t = useDocsTexts()
  const navigate = useNavigate()
  const frame = useRef<HTMLDivElement>(null)
  const operation = useOperationInView(frame, guide)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== '') findHeading(hash)?.scrollIntoView()
  }, [hash])
  const languages = LANGUAGES.filter((language) => entry.versions[language])
  return (
    <div className="flex min-h-0 min-w-0 flex-1 wide:h-full">
      <div ref={frame} className="min-w-0 flex-1 tablet:overflow-y-auto">
        <article lang={guide.language} className="flex max-w-200 flex-col gap-4 px-8 py-6 break-words max-tablet:p-4">
          <PageHeader
            title={guide.title}
            aside={
              languages.length > 1 && (
                <Segmented
                  label={t('languages')}
                  value={guide.language}
                  options={languages.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
                  onChange={(language) =>
                    void navigate({ to: '/docs/$guide', params: { guide: entry.slug }, search: { language } })
                  }
                />
              )
            }
          />
          {guide.blocks.some(hasPlace) && <ChannelBar />}
          <Blocks blocks={guide.blocks} files={guide.files} />
        </article>
      </div>
      {operation !== undefined && <OperationPane key={operation} id={operation} />}
    </div>
  )
}

function hasPlace(block: Block): boolean {
  if (block.kind === 'list') return block.items.flat().some(hasPlace)
  return block.kind === 'code' && block.parts.some(isOfChannel)
}

/** The last operation that the reader has scrolled to, or the first of the guide. */
function useOperationInView(frame: React.RefObject<HTMLDivElement | null>, guide: Guide): string | undefined {
  const [operation, setOperation] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another guide has other elements.
  useEffect(() => {
    const element = frame.current
    if (!element) return
    function find(): void {
      const marked = [...(element?.querySelectorAll<HTMLElement>('[data-operation]') ?? [])]
      const top = (element?.getBoundingClientRect().top ?? 0) + (element?.clientHeight ?? 0) / 3
      const passed = marked.filter((one) => one.getBoundingClientRect().top <= top)
      setOperation((passed.at(-1) ?? marked[0])?.dataset.operation)
    }
    find()
    element.addEventListener('scroll', find, { passive: true })
    return () => element.removeEventListener('scroll', find)
  }, [guide])
  return operation
}
