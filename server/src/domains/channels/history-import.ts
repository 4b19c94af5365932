/** What happens with the chats that a number of the Business app had before: nothing, or they become events. */
export const HISTORY_IMPORTS = ['off', 'events'] as const
export type HistoryImport = (typeof HISTORY_IMPORTS)[number]
