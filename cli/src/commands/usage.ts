import type { Command } from '../command.ts'
import { formatTime } from '../statuses.ts'

export const usage: Command = {
  name: 'usage',
  summary: 'Show the usage of the current period',
  usage: '',
  positionals: { min: 0, max: 0 },

  async run({ connect, isJson, printData, say }) {
    const found = await (await connect()).billing.getUsage()
    if (isJson) return void printData(found)
    const { usage: used } = found
    say(`From ${formatTime(used.period_start)} to ${formatTime(used.period_end)}`)
    say(`Channels            ${used.channels}`)
    say(`Webhook endpoints   ${used.webhook_endpoints}`)
    say(`Messages sent       ${used.messages_sent}`)
    say(`Messages received   ${used.messages_received}`)
    say(`Deliveries          ${used.deliveries}`)
  },
}
