/** The first parts of the addresses of its pages. The script decides which page an address shows. */
const FIRST_PARTS = [
  'sign-in',
  'sign-up',
  'account',
  'api-keys',
  'audit-log',
  'channels',
  'developers',
  'members',
  'messages',
  'privacy',
  'settings',
  'simulator',
  'templates',
  'usage',
  'webhooks',
]

export const DASHBOARD_PAGES: readonly string[] = ['/', ...FIRST_PARTS.flatMap((part) => [`/${part}`, `/${part}/*`])]
export const DASHBOARD_ASSETS = '/assets/:file'
