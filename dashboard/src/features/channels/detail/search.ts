export const TABS = ['summary', 'connect', 'diagnostics', 'test', 'number', 'token', 'danger'] as const
export type ChannelTab = (typeof TABS)[number]

/** Without a tab it is the summary. */
type ChannelSearch = { tab?: ChannelTab }

export function parseChannelSearch({ tab }: Record<string, unknown>): ChannelSearch {
  const known = TABS.find((name) => name === tab)
  return known === undefined ? {} : { tab: known }
}
