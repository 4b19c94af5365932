import { getRouteApi, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/controls/button.tsx'
import { useDocsTexts } from './docs-texts.ts'
import { GuideList } from './guide-list.tsx'
import { ReaderProvider } from './reader.tsx'
import { DocsSearch } from './search-box.tsx'

const route = getRouteApi('/docs')

/** The search and the list of everything beside the page that is open. On a phone the list opens and closes above it. */
export function DocsLayout() {
  const t = useDocsTexts()
  const { isSignedIn } = route.useRouteContext()
  const { pathname, hash } = useLocation()
  const [isListOpen, setListOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a person who has followed a link of the list wants to read.
  useEffect(() => {
    setListOpen(false)
    // A phone scrolls everything together, and would show the next guide from where the last one was left.
    if (hash === '') frame.current?.closest('main')?.scrollTo(0, 0)
  }, [pathname, hash])
  return (
    <ReaderProvider isSignedIn={isSignedIn}>
      <div ref={frame} className="flex h-full min-h-0 max-tablet:h-auto max-tablet:flex-col">
        <div className="flex w-52 shrink-0 flex-col gap-3 border-r border-line px-3 py-4 max-tablet:w-full max-tablet:border-r-0 max-tablet:border-b max-tablet:p-4">
          <DocsSearch />
          <div className="hidden max-tablet:block">
            <Button icon="list" aria-expanded={isListOpen} onClick={() => setListOpen(!isListOpen)}>
              {t(isListOpen ? 'hideGuides' : 'guides')}
            </Button>
          </div>
          <nav
            aria-label={t('contents')}
            className={cx('-mx-1 min-h-0 flex-1 overflow-y-auto px-1', !isListOpen && 'max-tablet:hidden')}
          >
            <GuideList />
          </nav>
        </div>
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <Outlet />
        </div>
      </div>
    </ReaderProvider>
  )
}
