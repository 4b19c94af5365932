import type { Command } from '../command.ts'
import { wrongChoice } from '../command.ts'
import { EXIT, usageError } from '../exit-codes.ts'
import { findChannelId } from '../names.ts'

const ACTIONS = ['add', 'remove'] as const

export const blocked: Command = {
  name: 'blocked',
  summary: "List, block or unblock a number's contacts",
  usage: '<channel> [add | remove <person> …]',
  description: `A person is a phone number or a user id of WhatsApp. Only people who wrote within the last 24 hours can be blocked. If some people could not be
changed, they are listed with the reason, and the command exits with 1.`,
  positionals: { min: 1, max: 52 },
  examples: [
    'hubline blocked Padaria',
    'hubline blocked Padaria add +5511987654321',
    'hubline blocked Padaria remove BR.1234',
  ],

  async run({ connect, isJson, printData, say, table }, { positionals: [channel = '', action, ...people] }) {
    if (action !== undefined && !(ACTIONS as readonly string[]).includes(action)) {
      throw wrongChoice('the action', action, ACTIONS)
    }
    if (action !== undefined && people.length === 0)
      throw usageError(`Missing argument. Usage: hubline blocked ${channel} ${action} <person>`)
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    if (action === undefined) {
      const found = await hub.numbers.listBlocked(channelId, { limit: 100 }).toArray()
      if (isJson) return void printData({ blocked: found, next_cursor: null })
      table(
        ['NUMBER', 'USER ID'],
        found.map(({ wa_id, user_id }) => [wa_id ?? '-', user_id ?? '-']),
        'No one is blocked.',
      )
      return undefined
    }
    const result =
      action === 'add'
        ? await hub.numbers.blockPeople(channelId, { people })
        : await hub.numbers.unblockPeople(channelId, { people })
    const { failed } = result
    const code = failed.length === 0 ? EXIT.ok : EXIT.refused
    if (isJson) {
      printData(result)
      return code
    }
    const changed = 'blocked' in result ? result.blocked : result.unblocked
    for (const { person } of changed) say(`${action === 'add' ? 'Blocked' : 'Unblocked'} ${person}.`)
    for (const { person, title, code: number } of failed)
      say(`${person} was not changed: ${title ?? 'no reason given'} (${number ?? '-'})`)
    return code
  },
}
