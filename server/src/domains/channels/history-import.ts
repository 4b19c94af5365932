/** Decides about the chats that a number of the Business app had before: they are ignored, or become events. */
export const HISTORY_IMPORTS = ['off', 'events'] as const
export type HistoryImport = (typeof HISTORY_IMPORTS)[number]
