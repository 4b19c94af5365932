import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { QUEUED_MAX } from '../../api/generated/definitions.gen.ts'
import { useRoleName } from '../../api/role-names.ts'
import { lacksSecondFactor, useSession, useSignOut } from '../../api/session.ts'
import { useSandbox } from '../../api/setup.ts'
import { statisticsQuery } from '../../features/overview/overview-queries.ts'
import { cx } from '../../lib/cx.ts'
import { formatAge, formatCount, formatDuration } from '../../lib/format.ts'
import { PALETTE_KEYS } from '../../lib/shortcuts.ts'
import { useGoneSince, useLiveState } from '../../live/live.ts'
import { Kbd } from '../../ui/controls/filters.tsx'
import { Menu } from '../../ui/controls/menu.tsx'
import { Badge } from '../../ui/data/badge.tsx'
import { initials } from '../../ui/data/initials.ts'
import { useNow } from '../../ui/data/time.tsx'
import { Icon, Logo } from '../../ui/icon.tsx'
import { showToast } from '../../ui/states/toasts.tsx'
import { type NavigationBadge, NavigationBadgeMark, useBadges } from './badges.tsx'
import { NAVIGATION, useNavigationTexts } from './navigation.ts'
import { OrganizationSwitcher } from './organization-switcher.tsx'
import { useShellTexts } from './shell-texts.ts'

/** 224 wide; only pictures below 1100; on a phone the bottom bar takes its place. */
export function SideBar({ onSearch }: { onSearch: () => void }) {
  const t = useShellTexts()
  const n = useNavigationTexts()
  const isSandbox = useSandbox()
  const badges = useBadges()
  return (
    <div className="flex w-56 shrink-0 flex-col border-r border-line bg-bg max-desktop:w-14 max-tablet:hidden">
      <div className="flex h-12 items-center gap-2 px-5 max-desktop:justify-center max-desktop:px-0">
        <Logo />
        <span className="flex-1 text-section font-semibold text-text max-desktop:hidden">Hubline</span>
        {isSandbox && (
          <span className="max-desktop:hidden">
            <Badge tone="info" icon="flask">
              {t('sandbox')}
            </Badge>
          </span>
        )}
      </div>
      <div className="px-3 pb-2 max-desktop:px-2">
        <OrganizationSwitcher isInSideBar />
      </div>
      <button
        type="button"
        onClick={onSearch}
        className="mx-3 flex h-8 items-center gap-2 rounded-control px-2 text-text-2 hover:bg-hover max-desktop:mx-auto"
      >
        <Icon name="search" />
        <span className="flex-1 text-left max-desktop:sr-only">{t('search')}</span>
        <span aria-hidden="true" className="max-desktop:hidden">
          <Kbd>{PALETTE_KEYS}</Kbd>
        </span>
      </button>
      <nav aria-label={n('main')} className="min-h-0 flex-1 overflow-y-auto px-3 py-1 max-desktop:px-2">
        {NAVIGATION.map(({ heading, items }) => (
          <div
            key={heading ?? 'first'}
            className={
              heading ? 'mt-4 max-desktop:mt-2 max-desktop:border-t max-desktop:border-line max-desktop:pt-2' : ''
            }
          >
            {heading && (
              <h2 className="px-2 pb-1 text-meta font-medium text-text-3 max-desktop:hidden">{n(heading)}</h2>
            )}
            {items
              .filter(({ isSandboxOnly }) => !isSandboxOnly || isSandbox)
              .map(({ key, icon, to }) => (
                <Link
                  key={key}
                  to={to}
                  title={n(key)}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  className="relative flex h-8 items-center gap-2 rounded-control px-2 font-medium text-text-2 hover:bg-hover hover:text-text max-desktop:justify-center"
                  activeProps={{ className: cx('bg-selected text-text [&>svg]:text-accent') }}
                >
                  <Icon name={icon} />
                  <span className="max-desktop:sr-only">{n(key)}</span>
                  <BadgeOf badge={badges.get(key)} />
                </Link>
              ))}
          </div>
        ))}
      </nav>
      <SideBarFooter />
    </div>
  )
}

function BadgeOf({ badge }: { badge: NavigationBadge | undefined }) {
  return badge && <NavigationBadgeMark badge={badge} />
}

function SideBarFooter() {
  const t = useShellTexts()
  const roleName = useRoleName()
  const { user, role } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut(() => showToast(t('signOutFailed')))
  return (
    <div className="border-t border-line px-3 py-2 max-desktop:px-2">
      <LiveLine />
      <Menu
        items={[
          { label: t('account'), icon: 'settings', onSelect: () => void navigate({ to: '/account' }) },
          { label: t('signOut'), icon: 'external', onSelect: () => signOut.mutate() },
        ]}
        trigger={
          <button
            type="button"
            title={t('account')}
            className="flex h-9 w-full items-center gap-2 rounded-control px-2 text-left text-text hover:bg-hover max-desktop:justify-center max-desktop:px-0"
          >
            <span
              aria-hidden="true"
              className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-axis font-semibold text-accent"
            >
              {initials(user.name)}
            </span>
            <span className="min-w-0 flex-1 truncate max-desktop:sr-only">{user.name}</span>
            <span className="text-text-3 max-desktop:hidden">{roleName(role)}</span>
          </button>
        }
      />
    </div>
  )
}

/** Shows if the pages are up to date. */
function LiveLine() {
  const t = useShellTexts()
  const state = useLiveState()
  const since = useGoneSince()
  if (since !== undefined) return <GoneLine since={since} />
  return (
    <p className="flex h-7 items-center gap-2 px-2 text-meta text-text-2 max-desktop:justify-center max-desktop:px-0">
      <span
        aria-hidden="true"
        className={cx('size-2 shrink-0 rounded-full', state === 'live' ? 'bg-ok' : 'border-2 border-warn-mark')}
      />
      <span role="status" className="max-desktop:sr-only">
        {t(state)}
      </span>
      {state === 'live' && <Queue />}
    </p>
  )
}

/** Shows what is queued for the organization. It is no status for screen readers, which would read out each change. */
function Queue() {
  const t = useShellTexts()
  const isLocked = lacksSecondFactor(useSession())
  const { data } = useQuery({ ...statisticsQuery({}), enabled: !isLocked })
  if (data === undefined) return null
  const { queued, oldest_seconds } = data.webhooks
  return (
    <span className="truncate max-desktop:hidden">
      {'· '}
      {t('queue', { count: queued, shown: formatCount(queued, QUEUED_MAX) })}
      {oldest_seconds > 0 && ` · ${t('oldest', { time: formatDuration(oldest_seconds * 1000) })}`}
    </span>
  )
}

function GoneLine({ since }: { since: number }) {
  const t = useShellTexts()
  const text = t('noAnswerFor', { time: formatAge(useNow() - since) })
  return (
    <p
      title={text}
      className="flex h-7 items-center gap-2 px-2 text-meta text-danger max-desktop:justify-center max-desktop:px-0"
    >
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full border-2 border-danger" />
      <span className="max-desktop:sr-only">{text}</span>
    </p>
  )
}
