import type { Catalog } from '../catalog.ts'
import { es as account } from './account/es.ts'
import { es as apiKeys } from './api-keys/es.ts'
import { es as audit } from './audit/es.ts'
import { es as auth } from './auth/es.ts'
import { es as billing } from './billing/es.ts'
import { es as channel } from './channel/es.ts'
import { es as channelClient } from './channel-client/es.ts'
import { es as channelConnect } from './channel-connect/es.ts'
import { es as channelDanger } from './channel-danger/es.ts'
import { es as channelDiagnostics } from './channel-diagnostics/es.ts'
import { es as channelNumber } from './channel-number/es.ts'
import { es as channelTest } from './channel-test/es.ts'
import { es as channelToken } from './channel-token/es.ts'
import { es as channels } from './channels/es.ts'
import { es as channelsCreate } from './channels-create/es.ts'
import { es as channelsLink } from './channels-link/es.ts'
import { es as costs } from './costs/es.ts'
import { es as deliveries } from './deliveries/es.ts'
import { es as developerTools } from './developer-tools/es.ts'
import { es as developers } from './developers/es.ts'
import { es as docs } from './docs/es.ts'
import type { en } from './en.ts'
import { es as eventCatalog } from './event-catalog/es.ts'
import { es as events } from './events/es.ts'
import { es as hubStatus } from './hub-status/es.ts'
import { es as inspector } from './inspector/es.ts'
import { es as listeners } from './listeners/es.ts'
import { es as members } from './members/es.ts'
import { es as messageDrawer } from './message-drawer/es.ts'
import { es as messages } from './messages/es.ts'
import { es as messagesExport } from './messages-export/es.ts'
import { es as navigation } from './navigation/es.ts'
import { es as onboarding } from './onboarding/es.ts'
import { es as overview } from './overview/es.ts'
import { es as overviewAttention } from './overview-attention/es.ts'
import { es as overviewErrors } from './overview-errors/es.ts'
import { es as pageStates } from './page-states/es.ts'
import { es as palette } from './palette/es.ts'
import { es as permissions } from './permissions/es.ts'
import { es as planNames } from './plan-names/es.ts'
import { es as privacy } from './privacy/es.ts'
import { es as reference } from './reference/es.ts'
import { es as requests } from './requests/es.ts'
import { es as roleNames } from './role-names/es.ts'
import { es as sandbox } from './sandbox/es.ts'
import { es as settings } from './settings/es.ts'
import { es as shell } from './shell/es.ts'
import { es as signature } from './signature/es.ts'
import { es as status } from './status/es.ts'
import { es as templateEditor } from './template-editor/es.ts'
import { es as templates } from './templates/es.ts'
import { es as ui } from './ui/es.ts'
import { es as webhooks } from './webhooks/es.ts'
import { es as webhooksEdit } from './webhooks-edit/es.ts'

export const es: Catalog<typeof en> = {
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
