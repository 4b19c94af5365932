import type { Command } from '../command.ts'
import { readText } from '../command.ts'
import { CHANNEL_STATUSES } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'
import { toStatusCell } from '../statuses.ts'
import { sanitize } from '../terminal.ts'

const CLIENT_HINT = `
To connect an existing Cloud API client, give it graph_url as the address of the API, phone_number_id, waba_id, and the channel's
token. \`hubline tokens --help\` says what each scope of the token allows.`

export const channels: Command = {
  name: 'channels',
  summary: 'List channels, or show one',
  usage: '[<channel>] [--status <status>]',
  description: 'Refer to a channel by its id, name, external id or phone number.',
  options: {
    status: {
      type: 'string',
      value: 'status',
      choices: CHANNEL_STATUSES,
      description: 'List only channels with this status',
    },
  },
  positionals: { min: 0, max: 1 },
  examples: ['hubline channels', 'hubline channels "Padaria" --json'],

  async run({ connect, isJson, printData, table, say }, { values, positionals: [name] }) {
    const hub = await connect()
    if (name !== undefined) {
      const found = await hub.channels.get(await findChannelId(hub, name))
      if (isJson) return void printData(found)
      for (const [member, value] of Object.entries(found.channel))
        say(`${member.padEnd(22)}${sanitize(String(value ?? '-'))}`)
      say(CLIENT_HINT)
      return
    }
    const wanted = readText(values, 'status')
    const found = (await hub.channels.list().toArray()).filter(
      ({ status }) => wanted === undefined || status === wanted,
    )
    if (isJson) return void printData({ channels: found })
    table(
      ['ID', 'NAME', 'STATUS', 'NUMBER', 'QUALITY'],
      found.map((one) => [
        one.id,
        one.name,
        toStatusCell(one.status),
        one.display_phone_number ?? '-',
        one.quality_rating ?? '-',
      ]),
      'No channels. `hubline connect --new <name>` makes one.',
    )
  },
}
