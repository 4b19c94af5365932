import { en as docs } from './docs/en.ts'
import { en as navigation } from './navigation/en.ts'
import { en as pageStates } from './page-states/en.ts'
import { en as permissions } from './permissions/en.ts'
import { en as roleNames } from './role-names/en.ts'
import { en as shell } from './shell/en.ts'
import { en as status } from './status/en.ts'
import { en as ui } from './ui/en.ts'

/** The texts that every page has, by feature: a browser loads them before it knows which page to show. */
export const en = {
  docs,
  navigation,
  'page-states': pageStates,
  permissions,
  'role-names': roleNames,
  shell,
  status,
  ui,
}

/** The texts that are loaded with the code that shows them. */
export const enPages = {
  account: async () => (await import('./account/en.ts')).en,
  'api-keys': async () => (await import('./api-keys/en.ts')).en,
  audit: async () => (await import('./audit/en.ts')).en,
  auth: async () => (await import('./auth/en.ts')).en,
  billing: async () => (await import('./billing/en.ts')).en,
  channel: async () => (await import('./channel/en.ts')).en,
  'channel-client': async () => (await import('./channel-client/en.ts')).en,
  'channel-connect': async () => (await import('./channel-connect/en.ts')).en,
  'channel-danger': async () => (await import('./channel-danger/en.ts')).en,
  'channel-diagnostics': async () => (await import('./channel-diagnostics/en.ts')).en,
  'channel-number': async () => (await import('./channel-number/en.ts')).en,
  'channel-test': async () => (await import('./channel-test/en.ts')).en,
  'channel-token': async () => (await import('./channel-token/en.ts')).en,
  channels: async () => (await import('./channels/en.ts')).en,
  'channels-create': async () => (await import('./channels-create/en.ts')).en,
  'channels-link': async () => (await import('./channels-link/en.ts')).en,
  costs: async () => (await import('./costs/en.ts')).en,
  deliveries: async () => (await import('./deliveries/en.ts')).en,
  'developer-tools': async () => (await import('./developer-tools/en.ts')).en,
  developers: async () => (await import('./developers/en.ts')).en,
  'event-catalog': async () => (await import('./event-catalog/en.ts')).en,
  events: async () => (await import('./events/en.ts')).en,
  'hub-status': async () => (await import('./hub-status/en.ts')).en,
  inspector: async () => (await import('./inspector/en.ts')).en,
  listeners: async () => (await import('./listeners/en.ts')).en,
  members: async () => (await import('./members/en.ts')).en,
  'message-drawer': async () => (await import('./message-drawer/en.ts')).en,
  messages: async () => (await import('./messages/en.ts')).en,
  'messages-export': async () => (await import('./messages-export/en.ts')).en,
  onboarding: async () => (await import('./onboarding/en.ts')).en,
  overview: async () => (await import('./overview/en.ts')).en,
  'overview-attention': async () => (await import('./overview-attention/en.ts')).en,
  'overview-errors': async () => (await import('./overview-errors/en.ts')).en,
  palette: async () => (await import('./palette/en.ts')).en,
  'plan-names': async () => (await import('./plan-names/en.ts')).en,
  privacy: async () => (await import('./privacy/en.ts')).en,
  reference: async () => (await import('./reference/en.ts')).en,
  requests: async () => (await import('./requests/en.ts')).en,
  sandbox: async () => (await import('./sandbox/en.ts')).en,
  settings: async () => (await import('./settings/en.ts')).en,
  signature: async () => (await import('./signature/en.ts')).en,
  'template-editor': async () => (await import('./template-editor/en.ts')).en,
  templates: async () => (await import('./templates/en.ts')).en,
  webhooks: async () => (await import('./webhooks/en.ts')).en,
  'webhooks-edit': async () => (await import('./webhooks-edit/en.ts')).en,
}
