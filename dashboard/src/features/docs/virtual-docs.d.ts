/** The plugin in `dashboard/docs` makes these of the guides and of the description of the API while the dashboard is built. */
declare module 'virtual:docs' {
  export const guides: import('./content.ts').GuideEntry[]
  export const tags: import('./content.ts').Reference['tags']
  export const operations: import('./content.ts').OperationEntry[]
  export function loadReference(): Promise<{ reference: import('./content.ts').Reference }>
  /** By slug and language, such as `docs-messages-en`. */
  export const guideLoaders: Record<
    string,
    () => Promise<{ content: Omit<import('./content.ts').Guide, 'files'>; files: Record<string, string> }>
  >
  /** By language, such as `docs-index-en`. */
  export const indexLoaders: Record<string, () => Promise<{ entries: import('./content.ts').SearchEntry[] }>>
}
