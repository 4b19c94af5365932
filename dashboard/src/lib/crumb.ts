import { useEffect } from 'react'
import { createStore } from './store.ts'

const crumb = createStore<string | undefined>(undefined)

/** The name of the thing that this page shows, after the name of its list in the path above. */
export function useCrumb(name: string | undefined): void {
  useEffect(() => {
    crumb.set(name)
    return () => crumb.set(undefined)
  }, [name])
}

export const useCurrentCrumb = crumb.use
