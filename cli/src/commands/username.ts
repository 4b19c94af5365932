import type { Command } from '../command.ts'
import { wrongChoice } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { findChannelId } from '../names.ts'

const ACTIONS = ['set', 'delete'] as const

export const username: Command = {
  name: 'username',
  summary: "Show, set or delete a number's username",
  usage: '<channel> [set <username> | delete]',
  description: 'People can find the number by its username: 3 to 35 letters, digits, periods and underscores.',
  positionals: { min: 1, max: 3 },
  examples: ['hubline username Padaria', 'hubline username Padaria set padaria.central'],

  async run({ connect, isJson, printData, say }, { positionals: [channel = '', action, name] }) {
    if (action !== undefined && !(ACTIONS as readonly string[]).includes(action)) {
      throw wrongChoice('the action', action, ACTIONS)
    }
    if ((action === 'set') !== (name !== undefined)) {
      throw usageError(
        `Missing argument. Usage: hubline username ${channel} ${action === 'delete' ? 'delete' : 'set <username>'}`,
      )
    }
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    const result =
      name !== undefined
        ? await hub.numbers.setUsername(channelId, { username: name })
        : action === 'delete'
          ? await hub.numbers.deleteUsername(channelId)
          : await hub.numbers.getUsername(channelId)
    if (isJson) return void printData(result)
    const { username: shown, status } = result.username
    say(shown === null ? 'The number has no username.' : `${shown}: ${status ?? 'no status yet'}`)
  },
}
