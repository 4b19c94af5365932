import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../controls/button.tsx'
import { useUiTexts } from '../texts.ts'

type OverlayProps = {
  title: ReactNode
  /** Below the title. */
  description?: ReactNode
  footer?: ReactNode
  onClose: () => void
  children: ReactNode
}

const SHADE = 'fixed inset-0 z-40 bg-black/40 enter'

/** A form begins at its first field, not at the button that closes it. */
function focusFirstField(event: Event): void {
  const field = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
    'input:not(:disabled, [type=hidden]), select, textarea',
  )
  if (field === null) return
  event.preventDefault()
  field.focus()
}

/** A question that stands before everything else: 480 wide, or 920 with two panes. */
export function Dialog({
  title,
  description,
  footer,
  onClose,
  children,
  isWide = false,
  isFlush = false,
}: OverlayProps & { isWide?: boolean; isFlush?: boolean }) {
  const t = useUiTexts()
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={SHADE} />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusFirstField}
          className={cx(
            'enter fixed top-1/2 left-1/2 z-50 flex overflow-hidden max-h-[90dvh] w-[calc(100vw-32px)] -translate-1/2 flex-col rounded-dialog border border-line bg-raised shadow-3 outline-none',
            'max-tablet:inset-0 max-tablet:max-h-none max-tablet:w-auto max-tablet:translate-none max-tablet:rounded-none',
            isWide ? 'tablet:max-w-[920px]' : 'tablet:max-w-[480px]',
          )}
        >
          <header className="flex items-start justify-between gap-4 border-b border-line p-5">
            <div>
              <Radix.Title className="text-dialog font-semibold text-text">{title}</Radix.Title>
              {description !== undefined && <Radix.Description className="mt-1">{description}</Radix.Description>}
            </div>
            <IconButton icon="x" label={t('close')} onClick={onClose} />
          </header>
          <div className={cx('min-h-0 flex-1 overflow-y-auto', !isFlush && 'p-5')}>{children}</div>
          {footer && (
            <footer className="flex flex-wrap items-center justify-end gap-2 rounded-b-dialog border-t border-line bg-bg p-4">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * Results at the right edge, 640 wide and as high as they need; on a phone at the bottom, within reach of the thumb. With
 * `isLocked` neither a click outside nor Escape closes it.
 */
export function Sheet({
  title,
  description,
  footer,
  onClose,
  children,
  isLocked = false,
}: OverlayProps & { isLocked?: boolean }) {
  const t = useUiTexts()
  const stay = isLocked ? (event: Event) => event.preventDefault() : undefined
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={SHADE} />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          {...(stay && { onPointerDownOutside: stay, onInteractOutside: stay, onEscapeKeyDown: stay })}
          className="enter fixed top-0 right-0 z-50 flex max-h-dvh w-full flex-col overflow-hidden rounded-bl-dialog border-b border-l border-line bg-raised shadow-3 outline-none max-tablet:top-auto max-tablet:bottom-0 max-tablet:rounded-t-dialog max-tablet:rounded-bl-none max-tablet:border-t max-tablet:border-b-0 max-tablet:border-l-0 tablet:max-w-[640px]"
        >
          <header className="flex items-start justify-between gap-4 border-b border-line p-5">
            <div className="min-w-0">
              <Radix.Title className="text-dialog font-semibold text-text">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="mt-1">{description}</div>
                </Radix.Description>
              )}
            </div>
            {!isLocked && <IconButton icon="x" label={t('close')} onClick={onClose} />}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-5">{children}</div>
          {footer && (
            <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line bg-bg p-4">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
