import { z } from 'zod'
import { COST_GROUPINGS, DELIVERY_STATUSES, DIRECTIONS } from '../generated/definitions.gen.ts'
import { findChannelId, findWebhookId } from '../names.ts'
import { readProbe } from '../probes.ts'
import {
  ShownApiKey,
  ShownAttempt,
  ShownChannel,
  ShownCheck,
  ShownCosts,
  ShownDelivery,
  ShownMessage,
  ShownTemplate,
  ShownUsage,
  ShownWebhook,
  showApiKey,
  showAttempt,
  showChannel,
  showCosts,
  showDelivery,
  showMessage,
  showUsage,
  showWebhook,
  UNTRUSTED_NOTICE,
} from './shown.ts'
import { defineTool, type Permissions, type Tool } from './tool.ts'

const MESSAGES_MAX = 100
const HELD = 'The hub is on hold. Its operator ends that with `npm run admin -- release`; until then repeat nothing.'

export const CHANNEL = z.string().min(1).describe('Id, name, external id or number of the channel')
export const WEBHOOK = z.string().min(1).describe('Id, name or URL of the webhook')
export const DELIVERY = z.uuid().describe('Id of the delivery')

export function createReadTools({ includesContent }: Permissions, url: string): Tool[] {
  return [
    createStatusTool(url),
    ...CHANNEL_TOOLS,
    createMessagesTool(includesContent),
    ...WEBHOOK_TOOLS,
    ...ACCOUNT_TOOLS,
  ]
}

/** Asks the probe, which knows of a hold and of a database that is away, and needs no credential. */
function createStatusTool(url: string): Tool {
  return defineTool({
    name: 'get_hub_status',
    description:
      'Show whether the hub works, and whether its operator has put it on hold: then it takes callbacks, and neither sends nor delivers.',
    input: {},
    output: { ready: z.boolean(), held: z.boolean(), message: z.string() },
    async run() {
      const { isOk, isHeld, message } = await readProbe(url, '/ready')
      return { ready: isOk && !isHeld, held: isHeld, message: isHeld ? HELD : message }
    },
  })
}

const CHANNEL_TOOLS = [
  defineTool({
    name: 'list_channels',
    description: 'List the channels (business phone numbers) with their status.',
    input: {},
    output: { channels: z.array(ShownChannel) },
    run: async (hub) => ({ channels: (await hub.channels.list().toArray()).map(showChannel) }),
  }),
  defineTool({
    name: 'diagnose_channel',
    description: 'Check the token, number, subscription and callbacks of a channel, with a remedy for each problem.',
    input: { channel: CHANNEL },
    output: { checked_at: z.string(), overall: z.string(), checks: z.array(ShownCheck) },
    async run(hub, { channel }) {
      const { diagnostics } = await hub.channels.diagnose(await findChannelId(hub, channel))
      const checks = diagnostics.checks.map(({ id, status, message, remedy }) => ({ id, status, message, remedy }))
      return { checked_at: diagnostics.checked_at, overall: diagnostics.overall, checks }
    },
  }),
  defineTool({
    name: 'list_templates',
    description: "List the message templates of a channel's account without their texts.",
    input: { channel: CHANNEL },
    output: { templates: z.array(ShownTemplate) },
    async run(hub, { channel }) {
      const found = await hub.templates.list(await findChannelId(hub, channel), { limit: 100 }).toArray()
      return {
        templates: found.map(({ id, name, language, category, status }) => ({ id, name, language, category, status })),
      }
    },
  }),
]

function createMessagesTool(includesContent: boolean): Tool {
  return defineTool({
    name: 'list_messages',
    description: `List the newest messages of a channel with their statuses${includesContent ? ' and contents' : ', without their contents'}. With a contact, only the messages with this person.`,
    input: {
      channel: CHANNEL,
      contact: z.string().min(1).optional().describe('Phone number with its country code, or user id, of a contact'),
      direction: z.enum(DIRECTIONS).optional(),
      limit: z.number().int().min(1).max(MESSAGES_MAX).default(20),
    },
    output: { notice: z.string().optional(), messages: z.array(ShownMessage) },
    async run(hub, { channel, contact, direction, limit }) {
      const query = { limit, ...(direction && { direction }), ...(contact !== undefined && { person: contact }) }
      const messages: object[] = []
      for await (const entry of hub.messages.list(await findChannelId(hub, channel), query)) {
        messages.push(showMessage(entry, includesContent))
        if (messages.length === limit) break
      }
      return { ...(includesContent && { notice: UNTRUSTED_NOTICE }), messages }
    },
  })
}

const WEBHOOK_TOOLS = [
  defineTool({
    name: 'list_webhooks',
    description: 'List the webhook endpoints with their status. Only the origin of each URL is shown.',
    input: {},
    output: { webhooks: z.array(ShownWebhook) },
    run: async (hub) => ({ webhooks: (await hub.webhooks.list().toArray()).map(showWebhook) }),
  }),
  defineTool({
    name: 'list_deliveries',
    description: 'List the 50 most recent deliveries of a webhook.',
    input: {
      webhook: WEBHOOK,
      status: z.enum(DELIVERY_STATUSES).optional(),
    },
    output: { deliveries: z.array(ShownDelivery) },
    async run(hub, { webhook, status }) {
      const found = await hub.webhooks.listDeliveries(await findWebhookId(hub, webhook)).toArray()
      return { deliveries: found.filter((one) => status === undefined || one.status === status).map(showDelivery) }
    },
  }),
  defineTool({
    name: 'get_delivery',
    description: 'Show one delivery and the result of each attempt.',
    input: { webhook: WEBHOOK, delivery: DELIVERY },
    output: { delivery: ShownDelivery, attempts: z.array(ShownAttempt) },
    async run(hub, { webhook, delivery }) {
      const found = await hub.webhooks.getDelivery(await findWebhookId(hub, webhook), delivery)
      return { delivery: showDelivery(found.delivery), attempts: found.attempts.map(showAttempt) }
    },
  }),
]

const ACCOUNT_TOOLS = [
  defineTool({
    name: 'list_api_keys',
    description: 'List the API keys with their scopes, without the keys themselves.',
    input: {},
    output: { api_keys: z.array(ShownApiKey) },
    run: async (hub) => ({ api_keys: (await hub.apiKeys.list({ limit: 100 }).toArray()).map(showApiKey) }),
  }),
  defineTool({
    name: 'get_usage',
    description: 'Show the usage of the current period.',
    input: {},
    output: { usage: ShownUsage },
    run: async (hub) => ({ usage: showUsage((await hub.billing.getUsage()).usage) }),
  }),
  defineTool({
    name: 'get_costs',
    description:
      'Estimate the cost of messages in the current month, or from the day `since` up to but not including the day `until`. `cost` is a decimal number, or null if the hub has no rate card.',
    input: {
      group_by: z.enum(COST_GROUPINGS).default('day'),
      since: z.string().optional(),
      until: z.string().optional(),
    },
    output: { costs: ShownCosts },
    run: async (hub, { group_by, since, until }) => {
      const query = { group_by, ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
      return { costs: showCosts((await hub.billing.getCosts(query)).costs) }
    },
  }),
]
