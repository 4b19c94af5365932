import { useSyncExternalStore } from 'react'

/** As in styles.css: below it the side bar is a bar at the bottom. */
const phone = matchMedia('(width < 720px)')

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches)
}
