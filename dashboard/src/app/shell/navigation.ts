import type { LinkProps } from '@tanstack/react-router'
import { defineTexts } from '../../lib/texts.ts'
import type { IconName } from '../../ui/icon.tsx'

export const useNavigationTexts = defineTexts('navigation')

export type NavigationKey = Parameters<ReturnType<typeof useNavigationTexts>>[0]
export type NavigationItem = {
  key: NavigationKey
  icon: IconName
  to: NonNullable<LinkProps['to']>
  /** Typed after `g`. */
  letter?: string
  /** Only where a simulator stands in for WhatsApp. */
  isSandboxOnly?: boolean
}

/** The pages in the order of the side bar. The first group has no heading. */
export const NAVIGATION: readonly { heading?: NavigationKey; items: readonly NavigationItem[] }[] = [
  { items: [{ key: 'overview', icon: 'activity', to: '/', letter: 'o' }] },
  {
    heading: 'messaging',
    items: [
      { key: 'channels', icon: 'phone', to: '/channels', letter: 'c' },
      { key: 'messages', icon: 'message', to: '/messages', letter: 'm' },
      { key: 'templates', icon: 'template', to: '/templates', letter: 't' },
    ],
  },
  {
    heading: 'developers',
    items: [
      { key: 'webhooks', icon: 'webhook', to: '/webhooks', letter: 'w' },
      { key: 'apiKeys', icon: 'key', to: '/api-keys' },
      { key: 'developerTools', icon: 'code', to: '/developers', letter: 'd' },
      { key: 'simulator', icon: 'flask', to: '/simulator', letter: 's', isSandboxOnly: true },
    ],
  },
  {
    heading: 'organization',
    items: [
      { key: 'usage', icon: 'card', to: '/usage' },
      { key: 'members', icon: 'users', to: '/members' },
      { key: 'auditLog', icon: 'shield', to: '/audit-log' },
      { key: 'privacy', icon: 'lock', to: '/privacy' },
      { key: 'settings', icon: 'settings', to: '/settings' },
    ],
  },
]

/** The bar at the top leads there. */
export const DOCS: NavigationItem = { key: 'docs', icon: 'book', to: '/docs' }

/** The pages of this hub without their groups. */
export function listPages(isSandbox: boolean): NavigationItem[] {
  const items = NAVIGATION.flatMap((group) => group.items).filter(({ isSandboxOnly }) => !isSandboxOnly || isSandbox)
  return [...items, DOCS]
}
