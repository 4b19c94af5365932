import { type RefObject, useEffect } from 'react'

/**
 * Keeps the focus inside an element. A button that has done its work may vanish, and the focus would fall to the page: then
 * the closest part around it that is left gets the focus, so that a screen reader and the Tab key go on from there.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = ref.current
    if (root === null) return
    /** The element that had the focus last, and its surroundings. */
    let path: Element[] = []
    function remember({ target }: FocusEvent): void {
      path = []
      for (let part = target as Element | null; part !== null && part !== root; part = part.parentElement)
        path.push(part)
    }
    function forget({ relatedTarget }: FocusEvent): void {
      if (relatedTarget !== null) path = []
    }
    const observer = new MutationObserver(() => {
      if (path[0] === undefined || root.contains(path[0]) || document.activeElement !== document.body) return
      const left = path.find((part) => root.contains(part)) ?? root
      if (!(left instanceof HTMLElement)) return
      left.tabIndex = -1
      left.focus({ preventScroll: true })
    })
    root.addEventListener('focusin', remember)
    root.addEventListener('focusout', forget)
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      root.removeEventListener('focusin', remember)
      root.removeEventListener('focusout', forget)
    }
  }, [ref])
}
