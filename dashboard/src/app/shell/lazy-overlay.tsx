import { type ComponentType, lazy, useEffect } from 'react'
import { showToast } from '../../ui/states/toasts.tsx'
import { useUiTexts } from '../../ui/texts.ts'

type OverlayProps = { onClose: () => void }

/** An overlay whose code is loaded apart from the page: where that fails, a message says so and the page stays. */
export function lazyOverlay(load: () => Promise<ComponentType<OverlayProps>>) {
  return lazy(async () => ({ default: await load().catch(() => NotLoaded) }))
}

function NotLoaded({ onClose }: OverlayProps) {
  const u = useUiTexts()
  useEffect(() => {
    showToast(u('unexpected'))
    onClose()
  }, [u, onClose])
  return null
}
