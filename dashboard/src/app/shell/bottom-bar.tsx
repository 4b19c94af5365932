import { LANGUAGE_NAMES, LANGUAGES } from '@hubline/locales/languages.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSignOut } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { cx } from '../../lib/cx.ts'
import { useLanguage } from '../../lib/texts.ts'
import { changeTheme, useTheme } from '../../lib/theme.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/states/toasts.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { listPages, type NavigationItem, type NavigationKey, useNavigationTexts } from './navigation.ts'
import { useShellTexts } from './shell-texts.ts'

const FIRST: readonly NavigationKey[] = ['overview', 'channels', 'messages', 'webhooks']
const ITEM = 'flex flex-1 flex-col items-center justify-center gap-1 text-meta text-text-2'

/** The navigation of a phone: four pages and the rest. */
export function BottomBar() {
  const n = useNavigationTexts()
  const [isOpen, setOpen] = useState(false)
  const items = listPages(useSandbox())
  return (
    <nav
      aria-label={n('main')}
      className="hidden h-18 shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] max-tablet:flex"
    >
      {items
        .filter(({ key }) => FIRST.includes(key))
        .map(({ key, icon, to }) => (
          <Link
            key={key}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={ITEM}
            activeProps={{ className: 'text-accent' }}
          >
            <Icon name={icon} size={20} />
            {n(key)}
          </Link>
        ))}
      <button type="button" onClick={() => setOpen(true)} className={ITEM}>
        <Icon name="menu" size={20} />
        {n('more')}
      </button>
      {isOpen && <MoreDialog items={items.filter(({ key }) => !FIRST.includes(key))} onClose={() => setOpen(false)} />}
    </nav>
  )
}

function MoreDialog({ items, onClose }: { items: readonly NavigationItem[]; onClose: () => void }) {
  const t = useShellTexts()
  const u = useUiTexts()
  const n = useNavigationTexts()
  const { theme } = useTheme()
  const { language, changeLanguage } = useLanguage()
  const signOut = useSignOut(() => showToast(t('signOutFailed')))
  const row = 'flex h-12 items-center gap-3 border-b border-line text-text'
  return (
    <Dialog title={n('more')} onClose={onClose}>
      {items.map(({ key, icon, to }) => (
        <Link key={key} to={to} onClick={onClose} className={row}>
          <Icon name={icon} />
          {n(key)}
        </Link>
      ))}
      <Link to="/account" onClick={onClose} className={row}>
        <Icon name="settings" />
        {t('account')}
      </Link>
      <button type="button" onClick={() => signOut.mutate()} className={cx(row, 'w-full')}>
        <Icon name="external" />
        {t('signOut')}
      </button>
      <div className="mt-4 flex flex-col items-start gap-3">
        <Segmented
          label={u('theme')}
          value={theme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: u(value) }))}
          onChange={changeTheme}
        />
        <Segmented
          label={u('language')}
          value={language}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChange={changeLanguage}
        />
      </div>
    </Dialog>
  )
}
