import { useEffect, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { shortenId } from '../../lib/format.ts'
import { Icon, type IconName } from '../icon.tsx'
import { useUiTexts } from '../texts.ts'

/** True for two seconds after a copy. */
export function useCopied(): [boolean, (text: string) => void] {
  const [copies, setCopies] = useState(0)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (copies === 0) return
    setCopied(true)
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copies])
  return [isCopied, copy]

  /** If the browser refuses, the button does not say that it copied. */
  function copy(text: string): void {
    writeClipboard(text).then(
      () => setCopies((before) => before + 1),
      () => undefined,
    )
  }
}

/** The clipboard of a page without https is out of reach for scripts, except by the selection. */
export async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  // An open dialog takes the focus back from everything outside of it, and the selection with it.
  const parent = focused?.closest('[role=dialog]') ?? document.body
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new Error('The browser did not copy the text.')
}

/** Turns into a tick in place; nothing around it moves. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = useUiTexts()
  const [isCopied, copy] = useCopied()
  return (
    <button
      type="button"
      aria-label={label ?? t('copy')}
      title={label ?? t('copy')}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        copy(text)
      }}
      className={cx(
        'touch-target inline-flex size-5 shrink-0 items-center justify-center rounded-badge hover:text-text',
        isCopied ? 'text-accent' : 'text-text-3',
      )}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={12} />
      <span aria-live="polite" className="sr-only">
        {isCopied && t('copied')}
      </span>
    </button>
  )
}

/** A copy button with its word beside it. The width of the longer word is reserved. */
type CopyTextButtonProps = { text: string; label?: string; icon?: IconName; size?: 'bar' | 'normal' }

export function CopyTextButton({ text, label, icon = 'copy', size = 'bar' }: CopyTextButtonProps) {
  const t = useUiTexts()
  const [isCopied, copy] = useCopied()
  const words = label ?? t('copy')
  return (
    <button
      type="button"
      onClick={() => copy(text)}
      className={cx(
        'inline-flex shrink-0 items-center gap-1.5 rounded-control border border-line-2 bg-surface font-medium text-text shadow-1 hover:bg-hover max-tablet:min-h-11',
        size === 'bar' ? 'h-7 px-2' : 'h-8 px-3',
      )}
    >
      <Icon name={isCopied ? 'check' : icon} size={14} className={isCopied ? 'text-accent' : ''} />
      <span className="grid text-left" aria-live="polite">
        <span className={cx('col-start-1 row-start-1', isCopied && 'invisible')}>{words}</span>
        <span className={cx('col-start-1 row-start-1 text-accent', !isCopied && 'invisible')}>{t('copied')}</span>
      </span>
    </button>
  )
}

/** An id: shortened in lists, whole elsewhere, always to be copied. */
export function Id({ id, isShort = false }: { id: string; isShort?: boolean }) {
  const t = useUiTexts()
  return (
    <span className="inline-flex max-w-full items-center gap-1 font-mono text-meta">
      <span className="truncate" title={id}>
        {isShort ? shortenId(id) : id}
      </span>
      <CopyButton text={id} label={t('copyId')} />
    </span>
  )
}
