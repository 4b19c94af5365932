import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { isSignedOut } from '../api/query-client.ts'
import { lacksSecondFactor, sessionQuery } from '../api/session.ts'
import { setupQuery } from '../api/setup.ts'
import { parseAuditSearch } from '../features/audit/search.ts'
import { parseChannelSearch } from '../features/channels/detail/search.ts'
import { parseChannelsSearch } from '../features/channels/list/search.ts'
import { parseCostsSearch } from '../features/costs/search.ts'
import { parseDevelopersSearch } from '../features/developers/search.ts'
import { parseGuideSearch, readFormerAddress } from '../features/docs/page-search.ts'
import { parseMessageSearch } from '../features/messages/search.ts'
import { parseOverviewSearch } from '../features/overview/search.ts'
import { parseSandboxSearch } from '../features/sandbox/search.ts'
import { parseDetailSearch, parseListSearch } from '../features/webhooks/search.ts'
import { suggestLanguage } from '../lib/texts.ts'
import { DocsFrame } from './docs-frame.tsx'
import { lazyPage } from './lazy-page.ts'
import { NotFound, NotFoundInShell, PageFailure, PagePending } from './page-states.tsx'
import {
  onlyKnown,
  parseApiKeysSearch,
  parseEditorSearch,
  parseMembersSearch,
  parsePrivacySearch,
  parseSignInSearch,
  parseTemplateSearch,
} from './search.ts'
import { Shell } from './shell/shell.tsx'

type RouterContext = { queryClient: QueryClient }

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
})

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: onlyKnown(parseSignInSearch),
  component: lazyPage(() => import('../features/auth/sign-in-page.tsx'), 'SignInPage'),
})

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: lazyPage(() => import('../features/auth/sign-up-page.tsx'), 'SignUpPage'),
})

/** They stay open to a person without the second factor that the organization requires. */
const ACCOUNT_PAGES = ['/account', '/account/verify-email'] as const

/** Every page below is for a signed-in person. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  async beforeLoad({ context, location }) {
    let landing: (typeof ACCOUNT_PAGES)[number] = '/account'
    try {
      const [session] = await Promise.all([
        context.queryClient.ensureQueryData(sessionQuery),
        // The navigation and the first page of a sandbox have more: they would move what is below them.
        context.queryClient.ensureQueryData(setupQuery).catch(() => undefined),
      ])
      await suggestLanguage(session.organization.language)
      if (!lacksSecondFactor(session) || isAccountPage(location.pathname)) return
      const { password_reset: hasMail } = await context.queryClient.ensureQueryData(setupQuery)
      if (hasMail && !session.user.email_verified) landing = '/account/verify-email'
    } catch (error) {
      if (!isSignedOut(error)) throw error
      throw await leadToSignIn(context.queryClient, location.href)
    }
    throw redirect({ to: landing })
  },
})

function isAccountPage(path: string): boolean {
  return ACCOUNT_PAGES.some((page) => page === path)
}

async function leadToSignIn(queryClient: QueryClient, return_to: string) {
  const { first_run } = await queryClient.ensureQueryData(setupQuery)
  return redirect(first_run ? { to: '/sign-up' } : { to: '/sign-in', search: { return_to } })
}

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: onlyKnown(parseOverviewSearch),
  component: lazyPage(() => import('./start-page.tsx'), 'StartPage'),
})

const simulatorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/simulator',
  validateSearch: onlyKnown(parseSandboxSearch),
  component: lazyPage(() => import('./simulator-page.tsx'), 'SimulatorPage'),
})

const channelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/channels',
  validateSearch: onlyKnown(parseChannelsSearch),
  component: lazyPage(() => import('../features/channels/list/channels-page.tsx'), 'ChannelsPage'),
})

const channelRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/channels/$channelId',
  validateSearch: onlyKnown(parseChannelSearch),
  notFoundComponent: NotFound,
  component: lazyPage(() => import('../features/channels/detail/channel-page.tsx'), 'ChannelPage'),
})

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  validateSearch: onlyKnown(parseMembersSearch),
  component: lazyPage(() => import('../features/organizations/members-page.tsx'), 'MembersPage'),
})

const messagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/messages',
  validateSearch: onlyKnown(parseMessageSearch),
  component: lazyPage(() => import('../features/messages/messages-page.tsx'), 'MessagesPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyPage(() => import('../features/auth/account/account-page.tsx'), 'AccountPage'),
})

const verifyEmailRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/verify-email',
  component: lazyPage(() => import('../features/auth/account/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit-log',
  validateSearch: onlyKnown(parseAuditSearch),
  component: lazyPage(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
})

const privacyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/privacy',
  validateSearch: onlyKnown(parsePrivacySearch),
  component: lazyPage(() => import('../features/privacy/privacy-page.tsx'), 'PrivacyPage'),
})

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyPage(() => import('../features/organizations/settings/settings-page.tsx'), 'SettingsPage'),
})

const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage',
  component: lazyPage(() => import('../features/billing/billing-page.tsx'), 'BillingPage'),
})

const costsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage/costs',
  validateSearch: onlyKnown(parseCostsSearch),
  component: lazyPage(() => import('../features/costs/costs-page.tsx'), 'CostsPage'),
})

/** Names that people try. */
const billingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing',
  beforeLoad() {
    throw redirect({ to: '/usage', replace: true })
  },
})

const auditNameRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  beforeLoad() {
    throw redirect({ to: '/audit-log', replace: true })
  },
})

const templatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/templates',
  validateSearch: onlyKnown(parseTemplateSearch),
  component: lazyPage(() => import('../features/templates/list/templates-page.tsx'), 'TemplatesPage'),
})

const templateEditorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/templates/new',
  validateSearch: onlyKnown(parseEditorSearch),
  component: lazyPage(() => import('../features/templates/editor/editor-page.tsx'), 'TemplateEditorPage'),
})

const developersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/developers',
  validateSearch: onlyKnown(parseDevelopersSearch),
  component: lazyPage(() => import('../features/developers/developers-page.tsx'), 'DevelopersPage'),
})

const apiKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/api-keys',
  validateSearch: onlyKnown(parseApiKeysSearch),
  component: lazyPage(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: onlyKnown(parseListSearch),
  component: lazyPage(() => import('../features/webhooks/list/webhooks-page.tsx'), 'WebhooksPage'),
})

const signatureRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/signature',
  component: lazyPage(() => import('../features/webhooks/signature/signature-page.tsx'), 'SignaturePage'),
})

const inspectorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/receive',
  component: lazyPage(() => import('../features/webhooks/inspector/inspector-page.tsx'), 'InspectorPage'),
})

const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$webhookId',
  validateSearch: onlyKnown(parseDetailSearch),
  notFoundComponent: NotFound,
  component: lazyPage(() => import('../features/webhooks/detail/webhook-page.tsx'), 'WebhookPage'),
})

/** Everybody may read. A person who is signed in has the navigation around it, and their own ids in the examples. */
const docsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  component: DocsFrame,
  beforeLoad: async ({ context }) => ({ isSignedIn: await hasSession(context.queryClient) }),
})

async function hasSession(queryClient: QueryClient): Promise<boolean> {
  const known = queryClient.getQueryState(sessionQuery.queryKey)
  if (known?.status === 'error' && isSignedOut(known.error)) return false
  try {
    const session = await queryClient.ensureQueryData(sessionQuery)
    await suggestLanguage(session.organization.language)
    return !lacksSecondFactor(session)
  } catch {
    // The text is the same for everybody, so it is there even if the session cannot be read.
    return false
  }
}

const docsLayoutRoute = createRoute({
  getParentRoute: () => docsRoute,
  id: 'layout',
  component: lazyPage(() => import('../features/docs/docs-layout.tsx'), 'DocsLayout'),
})

const docsStartRoute = createRoute({
  getParentRoute: () => docsLayoutRoute,
  path: '/',
  beforeLoad({ location }) {
    const operation = readFormerAddress(location.hash)
    if (operation !== undefined)
      throw redirect({ to: '/docs/reference/$operation', params: { operation }, replace: true })
    throw redirect({ to: '/docs/$guide', params: { guide: 'quick-start' }, replace: true })
  },
})

const guideRoute = createRoute({
  getParentRoute: () => docsLayoutRoute,
  path: '$guide',
  validateSearch: onlyKnown(parseGuideSearch),
  component: lazyPage(() => import('../features/docs/guide-page.tsx'), 'GuidePage'),
})

const referenceRoute = createRoute({
  getParentRoute: () => docsLayoutRoute,
  path: 'reference',
  component: lazyPage(() => import('../features/docs/reference-page.tsx'), 'ReferencePage'),
})

const operationRoute = createRoute({
  getParentRoute: () => docsLayoutRoute,
  path: 'reference/$operation',
  component: lazyPage(() => import('../features/docs/operation-page.tsx'), 'OperationPage'),
})

/** Any other address, for a person who is signed in. */
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFoundInShell,
})

const routeTree = rootRoute.addChildren([
  signInRoute,
  signUpRoute,
  docsRoute.addChildren([docsLayoutRoute.addChildren([docsStartRoute, guideRoute, referenceRoute, operationRoute])]),
  shellRoute.addChildren([
    templatesRoute,
    templateEditorRoute,
    overviewRoute,
    channelsRoute,
    channelRoute,
    messagesRoute,
    simulatorRoute,
    accountRoute,
    verifyEmailRoute,
    auditRoute,
    privacyRoute,
    usageRoute,
    costsRoute,
    billingRoute,
    auditNameRoute,
    membersRoute,
    settingsRoute,
    webhooksRoute,
    signatureRoute,
    inspectorRoute,
    webhookRoute,
    apiKeysRoute,
    developersRoute,
    unknownRoute,
  ]),
])

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PagePending,
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
