import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../../lib/cx.ts'
import { useKeptFocus } from '../../lib/kept-focus.ts'
import { IconButton } from '../controls/button.tsx'
import { useUiTexts } from '../texts.ts'

type DrawerProps = {
  label: string
  header: ReactNode
  footer?: ReactNode
  /** Takes what the list leaves. */
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}

/** Details of a row beside its list: 512 wide, it does not hold the focus. On a phone it is the whole screen. */
export function Drawer({ label, header, footer, isWide = false, onClose, children }: DrawerProps) {
  const t = useUiTexts()
  const drawer = useRef<HTMLElement>(null)
  useKeptFocus(drawer)
  useEffect(() => {
    function closeOnEscape(event: KeyboardEvent): void {
      // An overlay above the drawer closes first.
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('[role=dialog]') === null)
        onClose()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [onClose])
  return (
    <aside
      ref={drawer}
      aria-label={label}
      className={cx(
        'enter flex min-h-0 flex-col border-l border-line bg-surface max-desktop:fixed max-desktop:inset-y-0 max-desktop:right-0 max-desktop:z-30 max-desktop:shadow-3 max-tablet:w-full max-tablet:border-l-0',
        isWide ? 'min-w-0 flex-1 max-desktop:w-[720px] max-desktop:max-w-full' : 'w-[512px] shrink-0',
      )}
    >
      <header className="flex items-start justify-between gap-4 border-b border-line p-5">
        <div className="min-w-0 flex-1">{header}</div>
        <IconButton icon="x" label={t('close')} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto [--inset:20px]">{children}</div>
      {footer && (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line bg-bg px-5 py-3">{footer}</footer>
      )}
    </aside>
  )
}

/** A part of a drawer, below a line. */
export function DrawerSection({
  title,
  aside,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="border-b border-line p-5 last:border-b-0">
      <div className="mb-3 flex items-center justify-between gap-2">
        <h3 className="flex items-center gap-2 text-section font-semibold text-text">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
