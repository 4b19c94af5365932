import type { Catalog, PageCatalogs } from '../catalog.ts'
import { ptBR as docs } from './docs/pt-BR.ts'
import type { en, enPages } from './en.ts'
import { ptBR as navigation } from './navigation/pt-BR.ts'
import { ptBR as pageStates } from './page-states/pt-BR.ts'
import { ptBR as permissions } from './permissions/pt-BR.ts'
import { ptBR as roleNames } from './role-names/pt-BR.ts'
import { ptBR as shell } from './shell/pt-BR.ts'
import { ptBR as status } from './status/pt-BR.ts'
import { ptBR as ui } from './ui/pt-BR.ts'

export const ptBR: Catalog<typeof en> = {
  docs,
  navigation,
  'page-states': pageStates,
  permissions,
  'role-names': roleNames,
  shell,
  status,
  ui,
}

export const ptBRPages: PageCatalogs<typeof enPages> = {
  account: async () => (await import('./account/pt-BR.ts')).ptBR,
  'api-keys': async () => (await import('./api-keys/pt-BR.ts')).ptBR,
  audit: async () => (await import('./audit/pt-BR.ts')).ptBR,
  auth: async () => (await import('./auth/pt-BR.ts')).ptBR,
  billing: async () => (await import('./billing/pt-BR.ts')).ptBR,
  channel: async () => (await import('./channel/pt-BR.ts')).ptBR,
  'channel-client': async () => (await import('./channel-client/pt-BR.ts')).ptBR,
  'channel-connect': async () => (await import('./channel-connect/pt-BR.ts')).ptBR,
  'channel-danger': async () => (await import('./channel-danger/pt-BR.ts')).ptBR,
  'channel-diagnostics': async () => (await import('./channel-diagnostics/pt-BR.ts')).ptBR,
  'channel-number': async () => (await import('./channel-number/pt-BR.ts')).ptBR,
  'channel-test': async () => (await import('./channel-test/pt-BR.ts')).ptBR,
  'channel-token': async () => (await import('./channel-token/pt-BR.ts')).ptBR,
  channels: async () => (await import('./channels/pt-BR.ts')).ptBR,
  'channels-create': async () => (await import('./channels-create/pt-BR.ts')).ptBR,
  'channels-link': async () => (await import('./channels-link/pt-BR.ts')).ptBR,
  costs: async () => (await import('./costs/pt-BR.ts')).ptBR,
  deliveries: async () => (await import('./deliveries/pt-BR.ts')).ptBR,
  'developer-tools': async () => (await import('./developer-tools/pt-BR.ts')).ptBR,
  developers: async () => (await import('./developers/pt-BR.ts')).ptBR,
  'event-catalog': async () => (await import('./event-catalog/pt-BR.ts')).ptBR,
  events: async () => (await import('./events/pt-BR.ts')).ptBR,
  'hub-status': async () => (await import('./hub-status/pt-BR.ts')).ptBR,
  inspector: async () => (await import('./inspector/pt-BR.ts')).ptBR,
  listeners: async () => (await import('./listeners/pt-BR.ts')).ptBR,
  members: async () => (await import('./members/pt-BR.ts')).ptBR,
  'message-drawer': async () => (await import('./message-drawer/pt-BR.ts')).ptBR,
  messages: async () => (await import('./messages/pt-BR.ts')).ptBR,
  'messages-export': async () => (await import('./messages-export/pt-BR.ts')).ptBR,
  onboarding: async () => (await import('./onboarding/pt-BR.ts')).ptBR,
  overview: async () => (await import('./overview/pt-BR.ts')).ptBR,
  'overview-attention': async () => (await import('./overview-attention/pt-BR.ts')).ptBR,
  'overview-errors': async () => (await import('./overview-errors/pt-BR.ts')).ptBR,
  palette: async () => (await import('./palette/pt-BR.ts')).ptBR,
  'plan-names': async () => (await import('./plan-names/pt-BR.ts')).ptBR,
  privacy: async () => (await import('./privacy/pt-BR.ts')).ptBR,
  reference: async () => (await import('./reference/pt-BR.ts')).ptBR,
  requests: async () => (await import('./requests/pt-BR.ts')).ptBR,
  sandbox: async () => (await import('./sandbox/pt-BR.ts')).ptBR,
  settings: async () => (await import('./settings/pt-BR.ts')).ptBR,
  signature: async () => (await import('./signature/pt-BR.ts')).ptBR,
  'template-editor': async () => (await import('./template-editor/pt-BR.ts')).ptBR,
  templates: async () => (await import('./templates/pt-BR.ts')).ptBR,
  webhooks: async () => (await import('./webhooks/pt-BR.ts')).ptBR,
  'webhooks-edit': async () => (await import('./webhooks-edit/pt-BR.ts')).ptBR,
}
