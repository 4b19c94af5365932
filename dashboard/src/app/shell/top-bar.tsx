import { useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useCurrentApiExample, writeCurl, writeProgram } from '../../lib/api-example.ts'
import { useCurrentCrumb } from '../../lib/crumb.ts'
import { isolate } from '../../lib/isolate.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { LanguageMenu, ThemeMenu } from '../../ui/controls/preferences.tsx'
import { CodeTabs } from '../../ui/data/code.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Sheet } from '../../ui/overlays/dialog.tsx'
import { DOCS, NAVIGATION, useNavigationTexts } from './navigation.ts'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { useShellTexts } from './shell-texts.ts'

export function TopBar({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }) {
  const t = useShellTexts()
  const n = useNavigationTexts()
  return (
    <header className="flex h-12 shrink-0 items-center justify-between gap-4 border-b border-line px-8 max-tablet:h-14 max-tablet:px-4">
      <div className="max-tablet:hidden">
        <Path />
      </div>
      <div className="hidden min-w-0 max-tablet:block">
        <OrganizationSwitcher />
      </div>
      <div className="flex items-center gap-1">
        <span className="hidden max-tablet:block">
          <IconButton icon="search" label={t('search')} onClick={onSearch} />
        </span>
        <span className="flex items-center gap-1 max-tablet:hidden">
          <ApiButton />
          <Link
            to={DOCS.to}
            className="inline-flex h-7 items-center gap-1.5 rounded-control px-2 font-medium text-text-2 hover:bg-hover hover:text-text"
          >
            <Icon name={DOCS.icon} size={14} />
            {n(DOCS.key)}
          </Link>
          <LanguageMenu />
          <IconButton icon="help" label={t('keyboard')} onClick={onHelp} />
        </span>
        <ThemeMenu />
      </div>
    </header>
  )
}

/** The organization, the page, and the thing that it shows. */
function Path() {
  const n = useNavigationTexts()
  const { organization } = useSession()
  const crumb = useCurrentCrumb()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const item = [...NAVIGATION.flatMap(({ items }) => items), DOCS].find(({ to }) =>
    to === '/' ? path === '/' : path.startsWith(to),
  )
  const page = item && n(item.key)
  useEffect(() => {
    document.title = [crumb && isolate(crumb), page, 'Hubline'].filter((part) => part !== undefined).join(' · ')
  }, [crumb, page])
  return (
    <p className="flex items-center gap-2 text-text-2">
      {organization.name}
      {item && (
        <>
          <Icon name="chevron-right" size={12} className="text-text-3" />
          {crumb === undefined ? (
            <span className="font-medium text-text">{page}</span>
          ) : (
            <Link to={item.to} className="hover:text-text">
              {page}
            </Link>
          )}
        </>
      )}
      {crumb !== undefined && (
        <>
          <Icon name="chevron-right" size={12} className="text-text-3" />
          <span className="font-medium text-text">{crumb}</span>
        </>
      )}
    </p>
  )
}

function ApiButton() {
  const t = useShellTexts()
  const example = useCurrentApiExample()
  const [isOpen, setOpen] = useState(false)
  if (example === undefined) return null
  return (
    <>
      <Button kind="quiet" size="bar" icon="code" onClick={() => setOpen(true)}>
        {t('api')}
      </Button>
      {isOpen && (
        <Sheet title={t('apiTitle')} description={t('apiText')} onClose={() => setOpen(false)}>
          <CodeTabs
            label={t('apiTitle')}
            samples={{ curl: writeCurl(example), TypeScript: writeProgram(example.sdk) }}
          />
          <ReferenceLink method={example.method} path={example.path} onFollow={() => setOpen(false)} />
        </Sheet>
      )}
    </>
  )
}

/** Leads to the entry of the request, once the list of operations is loaded. */
function ReferenceLink({ method, path, onFollow }: { method: string; path: string; onFollow: () => void }) {
  const t = useShellTexts()
  const { data: operation } = useQuery({
    queryKey: ['docs', 'operation', method, path],
    queryFn: async () => (await import('../../features/docs/match-operation.ts')).matchOperation(method, path),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!operation) return null
  return (
    <p className="mt-4">
      <Link
        to="/docs/reference/$operation"
        params={{ operation }}
        onClick={onFollow}
        className="font-medium text-accent hover:underline"
      >
        {t('apiReference')}
      </Link>
    </p>
  )
}
