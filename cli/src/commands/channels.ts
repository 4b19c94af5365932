import type { UpdateChannel } from '@hubline/sdk'
import type { Arguments, Command } from '../command.ts'
import { readText } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { CHANNEL_STATUSES, HISTORY_IMPORTS } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'
import { toStatusCell } from '../statuses.ts'
import { sanitize } from '../terminal.ts'

const CLIENT_HINT = `
To connect an existing Cloud API client, give it graph_url as the address of the API, phone_number_id, waba_id, and the channel's
token. \`hubline tokens --help\` says what each scope of the token allows.`

export const channels: Command = {
  name: 'channels',
  summary: 'List channels, show one, or change its settings',
  usage: '[<channel>] [options]',
  description: `Refer to a channel by its id, name, external id or phone number. --import-history and --monthly-budget change the channel.`,
  options: {
    status: {
      type: 'string',
      value: 'status',
      choices: CHANNEL_STATUSES,
      description: 'List only channels with this status',
    },
    'import-history': {
      type: 'string',
      value: 'what',
      choices: HISTORY_IMPORTS,
      description: 'Make events of the chats that a number of the Business app had before (set it before connecting)',
    },
    'monthly-budget': {
      type: 'string',
      value: 'amount',
      description: 'Budget of a month in minor units, such as cents, or none',
    },
  },
  positionals: { min: 0, max: 1 },
  examples: [
    'hubline channels',
    'hubline channels "Padaria" --json',
    'hubline channels Padaria --monthly-budget 50000',
  ],

  async run({ connect, isJson, printData, table, say }, { values, positionals: [name] }) {
    const changes = readChanges(values)
    if (changes && name === undefined) throw usageError('Name the channel to change: hubline channels <channel> …')
    const hub = await connect()
    if (name !== undefined) {
      const channelId = await findChannelId(hub, name)
      const found = changes ? await hub.channels.update(channelId, changes) : await hub.channels.get(channelId)
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

function readChanges(values: Arguments['values']): UpdateChannel | undefined {
  const [history, budget] = [readText(values, 'import-history'), readText(values, 'monthly-budget')]
  if (history === undefined && budget === undefined) return undefined
  return {
    ...(history !== undefined && { import_history: history as NonNullable<UpdateChannel['import_history']> }),
    ...(budget !== undefined && { monthly_budget: readBudget(budget) }),
  }
}

function readBudget(text: string): number | null {
  if (text === 'none') return null
  if (/^[1-9]\d{0,12}$/.test(text)) return Number(text)
  throw usageError(`--monthly-budget must be a whole number of minor units, such as 50000, or none, not '${text}'.`)
}
