import { createStore } from '../../lib/store.ts'
import type { Unsent } from './unsent.ts'

const drafts = createStore<ReadonlyMap<string, string>>(new Map())

/** The text that is being typed in a conversation, as the customer or as the code. It stays on other pages and in other conversations. */
export function useDraft(kind: Unsent['kind'], channelId: string, phone: string) {
  const key = JSON.stringify([kind, channelId, phone])
  const text = drafts.use().get(key) ?? ''
  return [text, (typed: string) => drafts.set(new Map(drafts.get()).set(key, typed))] as const
}
