import { createStore } from '../../../lib/store.ts'
import type { Draft } from './draft.ts'

/** Unsent input, by the channel and the template that it is for. It stays until the page is loaded anew. */
const drafts = createStore<Readonly<Record<string, Draft>>>({})

/** The kept draft of a form, or the one that it begins with. */
export function useDraft(key: string, initial: Draft) {
  const kept = drafts.use()[key]
  return {
    draft: kept ?? initial,
    isKept: kept !== undefined,
    /** Several changes may come before the form is drawn again, such as a text and a file. */
    change(part: Partial<Draft>): void {
      drafts.set({ ...drafts.get(), [key]: { ...(drafts.get()[key] ?? initial), ...part } })
    },
    discard(): void {
      const { [key]: _, ...others } = drafts.get()
      drafts.set(others)
    },
  }
}
