import { en as account } from './account/en.ts'
import { en as apiKeys } from './api-keys/en.ts'
import { en as audit } from './audit/en.ts'
import { en as auth } from './auth/en.ts'
import { en as billing } from './billing/en.ts'
import { en as channel } from './channel/en.ts'
import { en as channelClient } from './channel-client/en.ts'
import { en as channelConnect } from './channel-connect/en.ts'
import { en as channelDanger } from './channel-danger/en.ts'
import { en as channelDiagnostics } from './channel-diagnostics/en.ts'
import { en as channelNumber } from './channel-number/en.ts'
import { en as channelTest } from './channel-test/en.ts'
import { en as channelToken } from './channel-token/en.ts'
import { en as channels } from './channels/en.ts'
import { en as channelsCreate } from './channels-create/en.ts'
import { en as channelsLink } from './channels-link/en.ts'
import { en as costs } from './costs/en.ts'
import { en as deliveries } from './deliveries/en.ts'
import { en as developerTools } from './developer-tools/en.ts'
import { en as developers } from './developers/en.ts'
import { en as docs } from './docs/en.ts'
import { en as eventCatalog } from './event-catalog/en.ts'
import { en as events } from './events/en.ts'
import { en as hubStatus } from './hub-status/en.ts'
import { en as inspector } from './inspector/en.ts'
import { en as listeners } from './listeners/en.ts'
import { en as members } from './members/en.ts'
import { en as messageDrawer } from './message-drawer/en.ts'
import { en as messages } from './messages/en.ts'
import { en as messagesExport } from './messages-export/en.ts'
import { en as navigation } from './navigation/en.ts'
import { en as onboarding } from './onboarding/en.ts'
import { en as overview } from './overview/en.ts'
import { en as overviewAttention } from './overview-attention/en.ts'
import { en as overviewErrors } from './overview-errors/en.ts'
import { en as pageStates } from './page-states/en.ts'
import { en as palette } from './palette/en.ts'
import { en as permissions } from './permissions/en.ts'
import { en as planNames } from './plan-names/en.ts'
import { en as privacy } from './privacy/en.ts'
import { en as reference } from './reference/en.ts'
import { en as requests } from './requests/en.ts'
import { en as roleNames } from './role-names/en.ts'
import { en as sandbox } from './sandbox/en.ts'
import { en as settings } from './settings/en.ts'
import { en as shell } from './shell/en.ts'
import { en as signature } from './signature/en.ts'
import { en as status } from './status/en.ts'
import { en as templateEditor } from './template-editor/en.ts'
import { en as templates } from './templates/en.ts'
import { en as ui } from './ui/en.ts'
import { en as webhooks } from './webhooks/en.ts'
import { en as webhooksEdit } from './webhooks-edit/en.ts'

/** The texts of the dashboard by feature. */
export const en = {
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
} as const
