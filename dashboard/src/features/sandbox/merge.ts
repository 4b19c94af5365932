import type { ChatMessage, Conversation } from '@hubline/sdk/console'

/** A chat as far as it was read, with the earlier messages still to be read. */
export type Chat = Conversation & { hasEarlier: boolean }

/** The chat with its newest messages read again. If some between are missing, the newest alone: those before are read when they are asked for. */
export function mergeChat(known: Chat, latest: Conversation, headLength: number): Chat {
  const fresh = new Map(latest.messages.map((message) => [message.id, message]))
  const ids = new Set(known.messages.map(({ id }) => id))
  const isGap = latest.messages.length === headLength && !latest.messages.some(({ id }) => ids.has(id))
  if (isGap) return { ...latest, hasEarlier: true }
  const added = latest.messages.filter(({ id }) => !ids.has(id))
  const messages = [...known.messages.map((message) => fresh.get(message.id) ?? message), ...added]
  return { ...latest, messages, hasEarlier: known.hasEarlier }
}

/** The chat with messages from before it. */
export function prependMessages(known: Chat, earlier: readonly ChatMessage[], stepLength: number): Chat {
  const ids = new Set(known.messages.map(({ id }) => id))
  const messages = [...earlier.filter(({ id }) => !ids.has(id)), ...known.messages]
  return { ...known, messages, hasEarlier: earlier.length === stepLength }
}

/** Rows with the newest read again, newest first. Ids begin with their time. */
export function mergeRows<Row extends { id: string }>(
  known: readonly Row[],
  latest: readonly Row[],
  max: number,
): Row[] {
  const ids = new Set(latest.map(({ id }) => id))
  return [...latest, ...known.filter(({ id }) => !ids.has(id))].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, max)
}

/** The number of rows to read again: the newest, or all if one further down has changed. */
export function countToRead<Row extends { id: string }>(
  known: readonly Row[] | undefined,
  changed: ReadonlySet<string>,
  { head, whole }: { head: number; whole: number },
): number {
  if (known === undefined || changed.has(EVERY)) return whole
  return known.slice(head).some(({ id }) => changed.has(id)) ? whole : head
}

/** Stands for all ids, after a time in which changes were not told. */
export const EVERY = '*'
