/** The first parts of the addresses of its pages. The script decides which page an address shows. */
const FIRST_PARTS = [
  'sign-in',
  'sign-up',
  'account',
  'api-keys',
  'audit-log',
  'channels',
  'developers',
  'docs',
  'members',
  'messages',
  'privacy',
  'settings',
  'simulator',
  'templates',
  'usage',
  'webhooks',
]

/** Names of pages that people try, and that lead to the page that they mean. */
const OTHER_NAMES = ['/audit', '/billing']

export const DASHBOARD_PAGES: readonly string[] = [
  '/',
  ...FIRST_PARTS.flatMap((part) => [`/${part}`, `/${part}/*`]),
  ...OTHER_NAMES,
]
export const DASHBOARD_ASSETS = '/assets/:file'

/** Returns true if only programs request addresses below this one: there, an unknown path has no page. */
export function isForPrograms(url: string): boolean {
  return /^\/(?:api|assets|console|graph|upstream)(?:[/?]|$)/.test(url)
}
