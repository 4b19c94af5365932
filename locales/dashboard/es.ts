import type { Catalog, PageCatalogs } from '../catalog.ts'
import { es as docs } from './docs/es.ts'
import type { en, enPages } from './en.ts'
import { es as navigation } from './navigation/es.ts'
import { es as pageStates } from './page-states/es.ts'
import { es as permissions } from './permissions/es.ts'
import { es as roleNames } from './role-names/es.ts'
import { es as shell } from './shell/es.ts'
import { es as status } from './status/es.ts'
import { es as ui } from './ui/es.ts'

export const es: Catalog<typeof en> = {
  docs,
  navigation,
  'page-states': pageStates,
  permissions,
  'role-names': roleNames,
  shell,
  status,
  ui,
}

export const esPages: PageCatalogs<typeof enPages> = {
  account: async () => (await import('./account/es.ts')).es,
  'api-keys': async () => (await import('./api-keys/es.ts')).es,
  audit: async () => (await import('./audit/es.ts')).es,
  auth: async () => (await import('./auth/es.ts')).es,
  billing: async () => (await import('./billing/es.ts')).es,
  channel: async () => (await import('./channel/es.ts')).es,
  'channel-client': async () => (await import('./channel-client/es.ts')).es,
  'channel-connect': async () => (await import('./channel-connect/es.ts')).es,
  'channel-danger': async () => (await import('./channel-danger/es.ts')).es,
  'channel-diagnostics': async () => (await import('./channel-diagnostics/es.ts')).es,
  'channel-number': async () => (await import('./channel-number/es.ts')).es,
  'channel-test': async () => (await import('./channel-test/es.ts')).es,
  'channel-token': async () => (await import('./channel-token/es.ts')).es,
  channels: async () => (await import('./channels/es.ts')).es,
  'channels-create': async () => (await import('./channels-create/es.ts')).es,
  'channels-link': async () => (await import('./channels-link/es.ts')).es,
  costs: async () => (await import('./costs/es.ts')).es,
  deliveries: async () => (await import('./deliveries/es.ts')).es,
  'developer-tools': async () => (await import('./developer-tools/es.ts')).es,
  developers: async () => (await import('./developers/es.ts')).es,
  'event-catalog': async () => (await import('./event-catalog/es.ts')).es,
  events: async () => (await import('./events/es.ts')).es,
  'hub-status': async () => (await import('./hub-status/es.ts')).es,
  inspector: async () => (await import('./inspector/es.ts')).es,
  listeners: async () => (await import('./listeners/es.ts')).es,
  members: async () => (await import('./members/es.ts')).es,
  'message-drawer': async () => (await import('./message-drawer/es.ts')).es,
  messages: async () => (await import('./messages/es.ts')).es,
  'messages-export': async () => (await import('./messages-export/es.ts')).es,
  onboarding: async () => (await import('./onboarding/es.ts')).es,
  overview: async () => (await import('./overview/es.ts')).es,
  'overview-attention': async () => (await import('./overview-attention/es.ts')).es,
  'overview-errors': async () => (await import('./overview-errors/es.ts')).es,
  palette: async () => (await import('./palette/es.ts')).es,
  'plan-names': async () => (await import('./plan-names/es.ts')).es,
  privacy: async () => (await import('./privacy/es.ts')).es,
  reference: async () => (await import('./reference/es.ts')).es,
  requests: async () => (await import('./requests/es.ts')).es,
  sandbox: async () => (await import('./sandbox/es.ts')).es,
  settings: async () => (await import('./settings/es.ts')).es,
  signature: async () => (await import('./signature/es.ts')).es,
  'template-editor': async () => (await import('./template-editor/es.ts')).es,
  templates: async () => (await import('./templates/es.ts')).es,
  webhooks: async () => (await import('./webhooks/es.ts')).es,
  'webhooks-edit': async () => (await import('./webhooks-edit/es.ts')).es,
}
