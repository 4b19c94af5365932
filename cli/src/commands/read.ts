import type { Command } from '../command.ts'
import { findChannelId, requirePathId } from '../names.ts'

export const read: Command = {
  name: 'read',
  summary: 'Mark a received message as read',
  usage: '<channel> <message> [--typing]',
  description: `The person sees that the message and all earlier ones were read. The message is given by its id, which \`hubline messages\` lists.`,
  options: {
    typing: {
      type: 'boolean',
      description: 'Also show that an answer is being written, for 25 seconds or until a message arrives',
    },
  },
  positionals: { min: 2, max: 2 },
  examples: ['hubline read Padaria 01980000-0000-7000-8000-000000000001 --typing'],

  async run({ connect, isJson, printData, say }, { values, positionals: [channel = '', message = ''] }) {
    requirePathId(message, 'The message must be its id', `messages ${channel}`)
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    const marked = await hub.messages.markRead(channelId, message, { typing: values.typing === true })
    if (isJson) return void printData(marked)
    say(`Marked ${marked.message.id} as read.`)
  },
}
