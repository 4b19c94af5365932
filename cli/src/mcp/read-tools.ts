import { z } from 'zod'
import { DIRECTIONS } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'
import {
  showApiKey,
  showAttempt,
  showChannel,
  showDelivery,
  showMessage,
  showWebhook,
  UNTRUSTED_NOTICE,
} from './shown.ts'
import { defineTool, type Permissions, type Tool } from './tool.ts'

const MESSAGES_MAX = 100

export const CHANNEL = z.string().min(1).describe('Id, name, external id or number of the channel')
/** By its id only: the message about a name that fits several shows their addresses. */
export const WEBHOOK = z.uuid().describe('Id of the webhook')
export const DELIVERY = z.uuid().describe('Id of the delivery')

export function createReadTools({ includesContent }: Permissions): Tool[] {
  return [...CHANNEL_TOOLS, createMessagesTool(includesContent), ...WEBHOOK_TOOLS, ...ACCOUNT_TOOLS]
}

const CHANNEL_TOOLS = [
  defineTool({
    name: 'list_channels',
    description: 'List the channels: business numbers, with their status.',
    input: {},
    run: async (hub) => ({ channels: (await hub.channels.list().toArray()).map(showChannel) }),
  }),
  defineTool({
    name: 'diagnose_channel',
    description: 'Check the token, the number, the subscription and the callbacks of a channel, and say what to do.',
    input: { channel: CHANNEL },
    async run(hub, { channel }) {
      const { diagnostics } = await hub.channels.diagnose(await findChannelId(hub, channel))
      const checks = diagnostics.checks.map(({ id, status, message, remedy }) => ({ id, status, message, remedy }))
      return { checked_at: diagnostics.checked_at, overall: diagnostics.overall, checks }
    },
  }),
  defineTool({
    name: 'list_templates',
    description: "List the message templates of a channel's account, without their texts.",
    input: { channel: CHANNEL },
    async run(hub, { channel }) {
      const found = await hub.templates.list(await findChannelId(hub, channel), { limit: 100 }).toArray()
      const templates = found.map(({ id, name, language, category, status }) => ({
        id,
        name,
        language,
        category,
        status,
      }))
      return { templates }
    },
  }),
]

function createMessagesTool(includesContent: boolean): Tool {
  return defineTool({
    name: 'list_messages',
    description: `List the newest messages of a channel with their statuses${includesContent ? ' and contents' : ', without their contents'}.`,
    input: {
      channel: CHANNEL,
      direction: z.enum(DIRECTIONS).optional(),
      limit: z.number().int().min(1).max(MESSAGES_MAX).default(20),
    },
    async run(hub, { channel, direction, limit }) {
      const list = hub.messages.list(await findChannelId(hub, channel), { limit, ...(direction && { direction }) })
      const messages: object[] = []
      for await (const entry of list) {
        messages.push(showMessage(entry, includesContent))
        if (messages.length === limit) break
      }
      return includesContent ? { notice: UNTRUSTED_NOTICE, messages } : { messages }
    },
  })
}

const WEBHOOK_TOOLS = [
  defineTool({
    name: 'list_webhooks',
    description: 'List the webhook endpoints with their status. Of an address only the origin is shown.',
    input: {},
    run: async (hub) => ({ webhooks: (await hub.webhooks.list().toArray()).map(showWebhook) }),
  }),
  defineTool({
    name: 'list_deliveries',
    description: 'List the 50 latest deliveries of a webhook.',
    input: {
      webhook: WEBHOOK,
      status: z.enum(['pending', 'processing', 'retry', 'succeeded', 'dead', 'canceled']).optional(),
    },
    async run(hub, { webhook, status }) {
      const found = await hub.webhooks.listDeliveries(webhook).toArray()
      return { deliveries: found.filter((one) => status === undefined || one.status === status).map(showDelivery) }
    },
  }),
  defineTool({
    name: 'get_delivery',
    description: 'Show one delivery and the result of each attempt.',
    input: { webhook: WEBHOOK, delivery: DELIVERY },
    async run(hub, { webhook, delivery }) {
      const found = await hub.webhooks.getDelivery(webhook, delivery)
      return { delivery: showDelivery(found.delivery), attempts: found.attempts.map(showAttempt) }
    },
  }),
]

const ACCOUNT_TOOLS = [
  defineTool({
    name: 'list_api_keys',
    description: 'List the API keys with their scopes, without the keys themselves.',
    input: {},
    run: async (hub) => ({ api_keys: (await hub.apiKeys.list({ limit: 100 }).toArray()).map(showApiKey) }),
  }),
  defineTool({
    name: 'get_usage',
    description: 'Show what was used in the current period.',
    input: {},
    run: async (hub) => hub.billing.getUsage(),
  }),
]
