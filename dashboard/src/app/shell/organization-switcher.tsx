import { useMutation, useQuery } from '@tanstack/react-query'
import { hub } from '../../api/hub.ts'
import { useSession } from '../../api/session.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Menu, type MenuItem } from '../../ui/controls/menu.tsx'
import { initials } from '../../ui/data/initials.ts'
import { Icon } from '../../ui/icon.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureNotice } from '../../ui/states/list-states.tsx'
import { useUiTexts } from '../../ui/texts.ts'
import { useShellTexts } from './shell-texts.ts'

/** The other tabs of the browser share the session, and therefore the organization. */
const switched = new BroadcastChannel('hubline.organization')
switched.onmessage = () => location.assign('/')

/** In the narrow side bar only the initials have room. */
export function OrganizationSwitcher({ isInSideBar = false }: { isInSideBar?: boolean }) {
  const t = useShellTexts()
  const { organization } = useSession()
  const u = useUiTexts()
  const {
    data: organizations = [],
    isError,
    refetch,
  } = useQuery({
    queryKey: ['organizations'],
    queryFn: () => hub.console.listOrganizations().toArray(),
  })
  const change = useMutation({
    mutationFn: (id: string) => hub.console.switchOrganization({ organization_id: id }),
    onSuccess() {
      switched.postMessage('switched')
      // Nothing of the organization before may stay in memory.
      location.assign('/')
    },
  })
  const items: MenuItem[] = organizations.map(({ id, name }) => ({
    label: name,
    isChecked: id === organization.id,
    onSelect: () => id !== organization.id && change.mutate(id),
  }))
  const failed: MenuItem = { label: t('organizationsFailed'), icon: 'refresh', onSelect: () => void refetch() }
  return (
    <>
      <Menu
        items={isError ? [...items, failed] : items}
        trigger={
          <button
            type="button"
            title={t('switchOrganization')}
            className={cx(
              'flex h-9 w-full items-center gap-2 rounded-control border border-line-2 bg-surface px-2 text-text shadow-1 hover:bg-hover',
              'max-desktop:border-transparent max-desktop:bg-transparent max-desktop:px-0 max-desktop:shadow-none',
              isInSideBar && 'max-desktop:justify-center',
            )}
          >
            <span
              aria-hidden="true"
              className="flex size-5 shrink-0 items-center justify-center rounded-badge bg-text text-[10px] font-semibold text-surface"
            >
              {initials(organization.name)}
            </span>
            <span className={cx('min-w-0 flex-1 truncate text-left font-medium', isInSideBar && 'max-desktop:sr-only')}>
              {organization.name}
            </span>
            <Icon name="sort" size={14} className={cx('text-text-3', isInSideBar && 'max-desktop:hidden')} />
          </button>
        }
      />
      {change.error && (
        <Dialog
          title={t('switchFailed')}
          onClose={change.reset}
          footer={
            <>
              <Button onClick={change.reset}>{u('close')}</Button>
              <Button kind="primary" isBusy={change.isPending} onClick={() => change.mutate(change.variables)}>
                {u('tryAgain')}
              </Button>
            </>
          }
        >
          <FailureNotice error={change.error} />
        </Dialog>
      )}
    </>
  )
}
