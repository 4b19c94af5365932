import type { Command } from '../command.ts'
import { findWebhookId } from '../names.ts'

export const retry: Command = {
  name: 'retry',
  summary: 'Attempt a delivery that waits for its next attempt now',
  usage: '<webhook> <delivery>',
  description: 'The delivery is in retry, and the webhook active. The attempt counts like any other.',
  positionals: { min: 2, max: 2 },
  examples: ['hubline retry CRM 019a0000-0000-7000-8000-000000000001'],

  async run({ connect, isJson, printData, say }, { positionals: [webhook = '', delivery = ''] }) {
    const hub = await connect()
    const retried = await hub.webhooks.retryDelivery(await findWebhookId(hub, webhook), delivery)
    if (isJson) return void printData(retried)
    say(`The delivery ${retried.delivery_id} is attempted now. \`hubline deliveries\` shows its result.`)
  },
}
