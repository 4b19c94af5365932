import type { RegenerateToken } from '@hubline/sdk'
import type { Command } from '../command.ts'
import { readList, wrongChoice } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import type { CHANNEL_TOKEN_SCOPES } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'

/** Explains what a channel token may do with each scope. */
const SCOPES = {
  'channels:read': 'see the channel, its number, account and profile',
  'messages:read': 'read the message log and download files',
  'templates:read': 'see the templates',
  'messages:send': 'send messages',
  'media:write': 'upload and delete files',
  'profile:write': 'change the business profile',
  'templates:write': 'create, change and delete templates',
  'calls:write': 'end calls',
  'number:write': 'block people, and change QR codes, the username and settings of the number; only if it is named',
} satisfies Record<(typeof CHANNEL_TOKEN_SCOPES)[number], string>

const ACTIONS = ['regenerate', 'revoke'] as const

export const tokens: Command = {
  name: 'tokens',
  summary: "Replace or revoke a channel's token",
  usage: 'regenerate <channel> [--scope <scope>] | revoke <channel>',
  description: `A channel has one token, which gives access to this channel only. A new token is shown once, and the old one ends at once. Without
--scope the new token has the scopes of the old one.

What each scope allows:
${listScopes()}`,
  actions: ACTIONS,
  options: {
    scope: {
      type: 'string',
      value: 'scope',
      multiple: true,
      description: 'A scope of the new token, such as messages:send',
    },
  },
  positionals: { min: 2, max: 2 },
  examples: ['hubline tokens regenerate Padaria --scope messages:send', 'hubline tokens revoke Padaria'],

  async run({ connect, isJson, printData, say, paint }, { values, positionals: [action = '', channel = ''] }) {
    if (!(ACTIONS as readonly string[]).includes(action)) throw wrongChoice('the action', action, ACTIONS)
    const scopes = readList(values, 'scope')
    if (action === 'revoke' && scopes.length > 0)
      throw usageError('--scope applies to a new token. Use `regenerate` to create one.')
    const hub = await connect()
    const channelId = await findChannelId(hub, channel)
    if (action === 'revoke') {
      const revoked = await hub.channels.revokeToken(channelId)
      if (isJson) return void printData(revoked)
      say(`Revoked the token of ${channelId}.`)
      return
    }
    // The hub knows which scopes there are, and says so.
    const body = scopes.length === 0 ? undefined : { scopes: scopes as NonNullable<RegenerateToken['scopes']> }
    const regenerated = await hub.channels.regenerateToken(channelId, body)
    if (isJson) return void printData(regenerated)
    say(`Token: ${paint('bold', regenerated.token)}\n${regenerated.warning}`)
  },
}

function listScopes(): string {
  return Object.entries(SCOPES)
    .map(([scope, text]) => `  ${scope.padEnd(17)}${text}`)
    .join('\n')
}
