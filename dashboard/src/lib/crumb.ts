import { useEffect, useSyncExternalStore } from 'react'

let current: string | undefined
const listeners = new Set<() => void>()

function change(next: string | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** The name of the thing that this page shows, after the name of its list in the path above. */
export function useCrumb(name: string | undefined): void {
  useEffect(() => {
    change(name)
    return () => change(undefined)
  }, [name])
}

export function useCurrentCrumb(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
