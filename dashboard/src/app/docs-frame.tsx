import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCurrentCrumb } from '../lib/crumb.ts'
import { isolate } from '../lib/isolate.ts'
import { useShortcuts } from '../lib/shortcuts.ts'
import { defineTexts } from '../lib/texts.ts'
import { ButtonLink } from '../ui/controls/button.tsx'
import { LanguageMenu, ThemeMenu } from '../ui/controls/preferences.tsx'
import { Logo } from '../ui/icon.tsx'
import { focusSearch } from './shell/focus-search.ts'
import { Shell } from './shell/shell.tsx'
import { SkipLink } from './shell/skip-link.tsx'

const route = getRouteApi('/docs')
const useTexts = defineTexts('docs')

export function DocsFrame() {
  const { isSignedIn } = route.useRouteContext()
  return isSignedIn ? <Shell /> : <PublicFrame />
}

/** For a reader without a session: no navigation, and the way to it. */
function PublicFrame() {
  const t = useTexts()
  const crumb = useCurrentCrumb()
  useShortcuts({ '/': focusSearch })
  useEffect(() => {
    document.title = [crumb && isolate(crumb), t('title'), 'Hubline'].filter((part) => part !== undefined).join(' · ')
  }, [crumb, t])
  return (
    <div className="flex h-dvh flex-col">
      <SkipLink />
      <header className="flex h-12 shrink-0 items-center justify-between gap-4 border-b border-line px-5 max-tablet:h-14 max-tablet:px-4">
        <Link to="/docs/$guide" params={{ guide: 'quick-start' }} className="flex items-center gap-2">
          <Logo />
          <span className="text-section font-semibold text-text">Hubline</span>
          <span className="text-text-3 max-tablet:hidden">{t('title')}</span>
        </Link>
        <span className="flex items-center gap-1">
          <LanguageMenu />
          <ThemeMenu />
          <ButtonLink size="bar" to="/sign-in" search={{ return_to: '/docs' }}>
            {t('signIn')}
          </ButtonLink>
        </span>
      </header>
      <main id="content" tabIndex={-1} className="relative min-h-0 flex-1 overflow-y-auto outline-none">
        <Outlet />
      </main>
    </div>
  )
}
