export const TABS = ['summary', 'connect', 'diagnostics', 'test', 'number', 'token', 'danger'] as const
export type ChannelTab = (typeof TABS)[number]

/** Without a tab it is the summary. The id of a template is for a test of it. */
type ChannelSearch = { tab?: ChannelTab; template?: string }

export function parseChannelSearch({ tab, template }: Record<string, unknown>): ChannelSearch {
  const known = TABS.find((name) => name === tab)
  return { ...(known && { tab: known }), ...(known === 'test' && typeof template === 'string' && { template }) }
}
