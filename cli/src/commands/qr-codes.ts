import type { SaveQrCode } from '@hubline/sdk'
import type { Command } from '../command.ts'
import { readText, wrongChoice } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { findChannelId, requirePathId } from '../names.ts'

/** The words that each action takes after the channel. */
const ACTIONS = { create: '<text>', update: '<code> <text>', delete: '<code>' }
type Action = keyof typeof ACTIONS

export const qrCodes: Command = {
  name: 'qr-codes',
  summary: 'List, create, update or delete the QR codes of a number',
  usage: '<channel> [create <text> | update <code> <text> | delete <code>]',
  description: 'Scanning the code opens a chat with the number, with the text already typed.',
  options: {
    image: {
      type: 'string',
      value: 'format',
      choices: ['svg', 'png'],
      description: 'Also print the URL of an image',
    },
  },
  positionals: { min: 1, max: 4 },
  examples: ['hubline qr-codes Padaria', "hubline qr-codes Padaria create 'I would like to order' --image png"],

  async run({ connect, isJson, printData, say, table }, { values, positionals: [channel = '', action, ...words] }) {
    if (action !== undefined && !(action in ACTIONS)) throw wrongChoice('the action', action, Object.keys(ACTIONS))
    const usage = action === undefined ? '' : ACTIONS[action as Action]
    if (action !== undefined && words.length !== usage.split(' ').length) {
      throw usageError(`Missing argument. Usage: hubline qr-codes ${channel} ${action} ${usage}`)
    }
    const [first = '', second = ''] = words
    if (action === 'update' || action === 'delete') {
      requirePathId(first, 'The code must be that of a QR code', `qr-codes ${channel}`)
    }
    const image = readText(values, 'image') as SaveQrCode['image']
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    if (action === undefined) {
      const found = await hub.numbers.listQrCodes(channelId, { limit: 100, image }).toArray()
      if (isJson) return void printData({ qr_codes: found, next_cursor: null })
      table(
        ['CODE', 'TEXT', 'LINK'],
        found.map(({ code, prefilled_message, deep_link_url, qr_image_url }) => [
          code,
          prefilled_message,
          qr_image_url ?? deep_link_url,
        ]),
        'No QR codes.',
      )
      return
    }
    if (action === 'delete') {
      const deleted = await hub.numbers.deleteQrCode(channelId, first)
      if (isJson) return void printData(deleted)
      say(`Deleted ${first}. Printed copies no longer work.`)
      return
    }
    const body = { prefilled_message: action === 'create' ? first : second, ...(image && { image }) }
    const saved =
      action === 'create'
        ? await hub.numbers.createQrCode(channelId, body)
        : await hub.numbers.updateQrCode(channelId, first, body)
    if (isJson) return void printData(saved)
    const { code, deep_link_url, qr_image_url } = saved.qr_code
    say(`${action === 'create' ? 'Created' : 'Updated'} ${code}: ${qr_image_url ?? deep_link_url}`)
  },
}
