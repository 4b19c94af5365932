import type { Catalog } from '../catalog.ts'
import { ptBR as account } from './account/pt-BR.ts'
import { ptBR as apiKeys } from './api-keys/pt-BR.ts'
import { ptBR as audit } from './audit/pt-BR.ts'
import { ptBR as auth } from './auth/pt-BR.ts'
import { ptBR as billing } from './billing/pt-BR.ts'
import { ptBR as channel } from './channel/pt-BR.ts'
import { ptBR as channelClient } from './channel-client/pt-BR.ts'
import { ptBR as channelConnect } from './channel-connect/pt-BR.ts'
import { ptBR as channelDanger } from './channel-danger/pt-BR.ts'
import { ptBR as channelDiagnostics } from './channel-diagnostics/pt-BR.ts'
import { ptBR as channelNumber } from './channel-number/pt-BR.ts'
import { ptBR as channelTest } from './channel-test/pt-BR.ts'
import { ptBR as channelToken } from './channel-token/pt-BR.ts'
import { ptBR as channels } from './channels/pt-BR.ts'
import { ptBR as channelsCreate } from './channels-create/pt-BR.ts'
import { ptBR as channelsLink } from './channels-link/pt-BR.ts'
import { ptBR as costs } from './costs/pt-BR.ts'
import { ptBR as deliveries } from './deliveries/pt-BR.ts'
import { ptBR as developerTools } from './developer-tools/pt-BR.ts'
import { ptBR as developers } from './developers/pt-BR.ts'
import { ptBR as docs } from './docs/pt-BR.ts'
import type { en } from './en.ts'
import { ptBR as eventCatalog } from './event-catalog/pt-BR.ts'
import { ptBR as events } from './events/pt-BR.ts'
import { ptBR as hubStatus } from './hub-status/pt-BR.ts'
import { ptBR as inspector } from './inspector/pt-BR.ts'
import { ptBR as listeners } from './listeners/pt-BR.ts'
import { ptBR as members } from './members/pt-BR.ts'
import { ptBR as messageDrawer } from './message-drawer/pt-BR.ts'
import { ptBR as messages } from './messages/pt-BR.ts'
import { ptBR as messagesExport } from './messages-export/pt-BR.ts'
import { ptBR as navigation } from './navigation/pt-BR.ts'
import { ptBR as onboarding } from './onboarding/pt-BR.ts'
import { ptBR as overview } from './overview/pt-BR.ts'
import { ptBR as overviewAttention } from './overview-attention/pt-BR.ts'
import { ptBR as overviewErrors } from './overview-errors/pt-BR.ts'
import { ptBR as pageStates } from './page-states/pt-BR.ts'
import { ptBR as palette } from './palette/pt-BR.ts'
import { ptBR as permissions } from './permissions/pt-BR.ts'
import { ptBR as planNames } from './plan-names/pt-BR.ts'
import { ptBR as privacy } from './privacy/pt-BR.ts'
import { ptBR as reference } from './reference/pt-BR.ts'
import { ptBR as requests } from './requests/pt-BR.ts'
import { ptBR as roleNames } from './role-names/pt-BR.ts'
import { ptBR as sandbox } from './sandbox/pt-BR.ts'
import { ptBR as settings } from './settings/pt-BR.ts'
import { ptBR as shell } from './shell/pt-BR.ts'
import { ptBR as signature } from './signature/pt-BR.ts'
import { ptBR as status } from './status/pt-BR.ts'
import { ptBR as templateEditor } from './template-editor/pt-BR.ts'
import { ptBR as templates } from './templates/pt-BR.ts'
import { ptBR as ui } from './ui/pt-BR.ts'
import { ptBR as webhooks } from './webhooks/pt-BR.ts'
import { ptBR as webhooksEdit } from './webhooks-edit/pt-BR.ts'

export const ptBR: Catalog<typeof en> = {
  account,
  'api-keys': apiKeys,
  audit,
  auth,
  billing,
  channel,
  'channel-client': channelClient,
  'channel-connect': channelConnect,
  'channel-danger': channelDanger,
  'channel-diagnostics': channelDiagnostics,
  'channel-number': channelNumber,
  'channel-test': channelTest,
  'channel-token': channelToken,
  channels,
  'channels-create': channelsCreate,
  'channels-link': channelsLink,
  costs,
  deliveries,
  'developer-tools': developerTools,
  developers,
  docs,
  'event-catalog': eventCatalog,
  events,
  'hub-status': hubStatus,
  inspector,
  listeners,
  members,
  'message-drawer': messageDrawer,
  messages,
  'messages-export': messagesExport,
  navigation,
  onboarding,
  overview,
  'overview-attention': overviewAttention,
  'overview-errors': overviewErrors,
  'page-states': pageStates,
  palette,
  permissions,
  'plan-names': planNames,
  privacy,
  reference,
  requests,
  'role-names': roleNames,
  sandbox,
  settings,
  shell,
  signature,
  status,
  'template-editor': templateEditor,
  templates,
  ui,
  webhooks,
  'webhooks-edit': webhooksEdit,
}
