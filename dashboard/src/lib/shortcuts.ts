import { useEffect, useRef } from 'react'

/** Keys that act on the page are off while something is typed and while a dialog is open. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function isPlain(event: KeyboardEvent): boolean {
  return !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event)
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys that open the palette, as the keyboard of this machine has them. */
export const PALETTE_KEYS = isMac ? '⌘K' : 'Ctrl K'
export const MODIFIER_KEY = isMac ? '⌘' : 'Ctrl'

/** Calls back for single keys, by their name. */
export function useShortcuts(shortcuts: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    function handle(event: KeyboardEvent): void {
      if (!isPlain(event) || document.querySelector('[role=dialog]') !== null) return
      latest.current[event.key]?.(event)
    }
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [])
}

/** `j` and `k` move through the rows of the list on the page; `Enter` follows the link that has the focus. */
export function moveInList(step: 1 | -1, openKey: string | undefined): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const focused = links.indexOf(document.activeElement as HTMLElement)
  const open = links.findIndex((link) => link.closest('[data-row]')?.getAttribute('data-row') === openKey)
  const from = focused >= 0 ? focused : open
  const next = links[from < 0 ? 0 : Math.min(links.length - 1, Math.max(0, from + step))]
  next?.focus()
  // The drawer follows the row.
  if (openKey !== undefined) next?.click()
}
