import { type FocusEvent, type PointerEvent, useState } from 'react'

const IN_ROW = '[data-row] *'

export type Attention = ReturnType<typeof useAttention>

/** True if a person reads the list: it is scrolled, the mouse is over it, or one of its rows has the focus. */
export function useAttention() {
  const [isAtTop, setAtTop] = useState(true)
  const [isHovered, setHovered] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  return {
    isCalm: isAtTop && !isHovered && !hasFocus,
    onScroll(isTop: boolean) {
      setAtTop(isTop)
      // A row that leaves the document by scrolling loses the focus without an event.
      setFocus(document.activeElement?.matches(IN_ROW) ?? false)
    },
    /** For the element around the list. */
    handlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => setHovered(pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: ({ target }: FocusEvent) => setFocus(target.matches(IN_ROW)),
      onBlur: () => setFocus(false),
    },
  }
}
