import { type FocusEvent, type PointerEvent, useState } from 'react'

export type Attention = ReturnType<typeof useAttention>

/** Whether a person reads the list: it is scrolled, the mouse is over it, or one of its rows has the focus. */
export function useAttention() {
  const [isAtTop, setAtTop] = useState(true)
  const [isHovered, setHovered] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  return {
    isCalm: isAtTop && !isHovered && !hasFocus,
    onScroll: setAtTop,
    /** For the element around the list. */
    handlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => setHovered(pointerType === 'mouse'),
      onPointerLeave: () => setHovered(false),
      onFocus: ({ target }: FocusEvent) => setFocus(target.matches('[data-row] *')),
      onBlur: () => setFocus(false),
    },
  }
}
