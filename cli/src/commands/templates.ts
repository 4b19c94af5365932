import type { Command } from '../command.ts'
import { findChannelId } from '../names.ts'
import { toStatusCell } from '../statuses.ts'

export const templates: Command = {
  name: 'templates',
  summary: "List the templates of a channel's account",
  usage: '<channel>',
  positionals: { min: 1, max: 1 },
  examples: ['hubline templates Padaria'],

  async run({ connect, isJson, printData, table, progress }, { positionals: [name = ''] }) {
    const hub = await connect()
    const channelId = await findChannelId(hub, name)
    progress('Reading…')
    const found = await hub.templates.list(channelId, { limit: 100 }).toArray()
    if (isJson) return void printData({ templates: found, next_cursor: null })
    table(
      ['NAME', 'LANGUAGE', 'CATEGORY', 'STATUS', 'ID'],
      found.map((one) => [
        one.name ?? '-',
        toText(one.language),
        toText(one.category),
        toStatusCell(one.status ?? '-'),
        one.id,
      ]),
      'No templates.',
    )
  },
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '-'
}
