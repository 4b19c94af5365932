import type { Command } from '../command.ts'
import { findWebhookId, requirePathId } from '../names.ts'

export const replay: Command = {
  name: 'replay',
  summary: 'Deliver the event of a delivery again',
  usage: '<webhook> <delivery>',
  description:
    'The delivery must have ended (succeeded, dead or canceled) and its webhook be active. The event keeps its id.',
  positionals: { min: 2, max: 2 },
  examples: ['hubline replay CRM 019a0000-0000-7000-8000-000000000001'],

  async run({ connect, isJson, printData, say }, { positionals: [webhook = '', delivery = ''] }) {
    requirePathId(delivery, 'The delivery must be its id', `deliveries ${webhook}`)
    const hub = await connect()
    const replayed = await hub.webhooks.replayDelivery(await findWebhookId(hub, webhook), delivery)
    if (isJson) return void printData(replayed)
    say(`Queued the delivery ${replayed.delivery_id}. \`hubline deliveries\` shows the result.`)
  },
}
