import type { Hub } from '@hubline/sdk'
import { z } from 'zod'
import { CliError } from '../exit-codes.ts'
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_FORM } from '../idempotency-key.ts'
import { findChannelId, findWebhookId } from '../names.ts'
import { isPhoneNumber, readTarget, type SendRoute, sendMessage } from '../recipient.ts'
import { CHANNEL, DELIVERY, WEBHOOK } from './read-tools.ts'
import { QUEUED } from './shown.ts'
import { ALLOWED, defineTool, type Permissions, type Tool } from './tool.ts'

const SEND_INPUT = {
  channel: CHANNEL,
  to: z
    .string()
    .describe(
      'The recipient: a number with the country code, such as 5511987654321, a user id, such as BR.1349567890, or a group, such as group:Y2FwaV9ncm91cA==',
    ),
  idempotency_key: z
    .string()
    .regex(IDEMPOTENCY_KEY, `must have ${IDEMPOTENCY_KEY_FORM}`)
    .describe('Names the reason for the message. The same key sends once, however often the tool is called'),
}

const SENT = { id: z.string(), status: z.string(), to: z.string().nullish(), created_at: z.string().nullish() }

type SendArguments = z.infer<z.ZodObject<typeof SEND_INPUT>>

/** Messages and read receipts reach a person, so that these tools are offered only if --allow-to names one. */
export function createWriteTools({ recipients }: Permissions): Tool[] {
  if (recipients.size === 0) return DELIVERY_TOOLS
  return [...DELIVERY_TOOLS, createReadReceiptTool(recipients), ...createSendTools(recipients)]
}

function createReadReceiptTool(recipients: ReadonlySet<string>): Tool {
  return defineTool({
    name: 'mark_read',
    description: 'Mark a message of one of the allowed recipients, and all before it, as read. The person sees it.',
    input: {
      channel: CHANNEL,
      message: z.uuid().describe('Id of the message, as list_messages shows it'),
      typing: z.boolean().default(false).describe('Also show that an answer is being written'),
    },
    output: { id: z.string(), read: z.boolean() },
    async run(hub, { channel, message, typing }) {
      const channelId = await findChannelId(hub, channel)
      const { from, contact } = (await hub.messages.get(channelId, message)).message
      const names = [from, contact?.user_id].filter((name) => typeof name === 'string')
      if (!names.some((name) => recipients.has(name))) {
        const person = names[0] ?? 'this person'
        throw new CliError(`Read receipts to ${person} are not allowed. ${ALLOWED}`)
      }
      const marked = await hub.messages.markRead(channelId, message, { typing })
      return { id: marked.message.id, read: marked.message.read }
    },
  })
}

const DELIVERY_TOOLS = [
  defineTool({
    name: 'test_webhook',
    description: 'Queue a test event for a webhook. list_deliveries shows its result.',
    input: { webhook: WEBHOOK },
    output: QUEUED,
    async run(hub, { webhook }) {
      const { event_id, delivery_id, status } = await hub.webhooks.test(await findWebhookId(hub, webhook))
      return { event_id, delivery_id, status }
    },
  }),
  defineTool({
    name: 'replay_delivery',
    description: 'Deliver the event of a finished delivery again as a new delivery.',
    input: { webhook: WEBHOOK, delivery: DELIVERY },
    output: { ...QUEUED, replay_of_delivery_id: z.string() },
    async run(hub, { webhook, delivery }) {
      const replayed = await hub.webhooks.replayDelivery(await findWebhookId(hub, webhook), delivery)
      const { delivery_id, event_id, replay_of_delivery_id, status } = replayed
      return { delivery_id, event_id, replay_of_delivery_id, status }
    },
  }),
]

function createSendTools(recipients: ReadonlySet<string>): Tool[] {
  async function send(hub: Hub, { channel, to, idempotency_key }: SendArguments, rest: object, isMarketing = false) {
    const { recipient, isGroup, name } = readTarget(to)
    if (!recipients.has(name)) {
      throw new CliError(`Messages to ${name} are not allowed. ${ALLOWED}`)
    }
    if (isMarketing && !isPhoneNumber(recipient)) {
      throw new CliError('Only a phone number takes a template by the Marketing Messages API.')
    }
    const route: SendRoute = isGroup ? 'group' : isMarketing ? 'marketing' : undefined
    const send = { channelId: await findChannelId(hub, channel), recipient, message: rest, route }
    const { message } = await sendMessage(hub, send, { idempotencyKey: idempotency_key })
    return { id: message.id, status: message.status, to: message.to, created_at: message.created_at }
  }

  return [
    defineTool({
      name: 'send_text',
      description: 'Send a text to one of the allowed recipients.',
      input: { ...SEND_INPUT, text: z.string().min(1).max(4096) },
      output: SENT,
      run: (hub, args) => send(hub, args, { type: 'text', text: { body: args.text } }),
    }),
    defineTool({
      name: 'send_template',
      description: 'Send a template to one of the allowed recipients.',
      input: {
        ...SEND_INPUT,
        template: z.string().min(1),
        language: z.string().min(2).describe('The language of the template, such as pt_BR'),
        parameters: z.array(z.string()).default([]).describe("The parameters of the template's body, in order"),
        marketing: z.boolean().default(false).describe('Send a marketing template by the Marketing Messages API'),
      },
      output: SENT,
      run: (hub, args) => send(hub, args, { type: 'template', template: buildTemplate(args) }, args.marketing),
    }),
  ]
}

type TemplateArguments = { template: string; language: string; parameters: string[] }

function buildTemplate({ template, language, parameters }: TemplateArguments) {
  const components = [{ type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) }]
  return { name: template, language: { code: language }, ...(parameters.length > 0 && { components }) }
}
