import type { Command } from '../command.ts'
import { findWebhookId, requirePathId } from '../names.ts'

export const retry: Command = {
  name: 'retry',
  summary: 'Attempt a waiting delivery now',
  usage: '<webhook> <delivery>',
  description: 'The delivery must be in retry and its webhook active. The attempt counts like any other.',
  positionals: { min: 2, max: 2 },
  examples: ['hubline retry CRM 019a0000-0000-7000-8000-000000000001'],

  async run({ connect, isJson, printData, say }, { positionals: [webhook = '', delivery = ''] }) {
    requirePathId(delivery, 'The delivery must be its id', `deliveries ${webhook}`)
    const hub = await connect()
    const retried = await hub.webhooks.retryDelivery(await findWebhookId(hub, webhook), delivery)
    if (isJson) return void printData(retried)
    say(`Attempting the delivery ${retried.delivery_id} now. \`hubline deliveries\` shows the result.`)
  },
}
