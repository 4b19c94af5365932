import type { CreateApiKey } from '@hubline/sdk'
import type { Command } from '../command.ts'
import { readList, readText, wrongChoice } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { requirePathId } from '../names.ts'
import { formatTime, toStatusCell } from '../statuses.ts'

const ACTIONS = ['create', 'revoke'] as const
const DAY_MS = 86_400_000

export const keys: Command = {
  name: 'keys',
  summary: 'List API keys, create or revoke one',
  usage: '[create <name> --scope <scope> | revoke <id>]',
  description: 'A new key can have only scopes that your own key has. It is shown once.',
  actions: ACTIONS,
  options: {
    scope: {
      type: 'string',
      value: 'scope',
      multiple: true,
      description: 'A scope of the new key, such as messages:send',
    },
    'expires-in': {
      type: 'string',
      value: 'days',
      description: 'Days until the new key expires (never by default)',
    },
  },
  positionals: { min: 0, max: 2 },
  examples: ['hubline keys', 'hubline keys create ci --scope messages:send --scope channels:read --expires-in 90'],

  async run({ connect, isJson, printData, table, say, paint }, { values, positionals: [action, target] }) {
    if (action !== undefined && !(ACTIONS as readonly string[]).includes(action))
      throw wrongChoice('the action', action, ACTIONS)
    if (action !== undefined && target === undefined)
      throw usageError(`Missing argument. Usage: hubline keys ${action} <${action === 'create' ? 'name' : 'id'}>`)
    if (action === 'revoke') requirePathId(target ?? '', 'The key must be its id', 'keys')
    const body =
      action === 'create'
        ? buildKey(target ?? '', readList(values, 'scope'), readText(values, 'expires-in'))
        : undefined
    const hub = await connect()
    if (body) {
      const created = await hub.apiKeys.create(body)
      if (isJson) return void printData(created)
      say(`${paint('green', 'Created')} ${created.api_key.id}`)
      say(`Key: ${paint('bold', created.secret)}\n${created.warning}`)
      return
    }
    if (action === 'revoke') {
      const revoked = await hub.apiKeys.revoke(target ?? '')
      if (isJson) return void printData(revoked)
      say(`Revoked ${revoked.api_key.name} (${revoked.api_key.id}).`)
      return
    }
    const found = await hub.apiKeys.list({ limit: 100 }).toArray()
    if (isJson) return void printData({ api_keys: found, next_cursor: null })
    table(
      ['ID', 'NAME', 'KEY', 'STATUS', 'LAST USED', 'EXPIRES', 'SCOPES'],
      found.map((one) => [
        one.id,
        one.name,
        `${one.prefix}…${one.last4}`,
        toStatusCell(one.status),
        formatTime(one.last_used_at),
        formatTime(one.expires_at),
        one.scopes.join(','),
      ]),
      'No keys.',
    )
  },
}

function buildKey(name: string, scopes: string[], days: string | undefined): CreateApiKey {
  if (scopes.length === 0) throw usageError('A key needs at least one --scope, such as --scope messages:send.')
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
    throw usageError(`--expires-in must be a number of days, not '${days}'.`)
  const expiry = days === undefined ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }
  // The hub knows which scopes there are, and says so.
  return { name, scopes: scopes as CreateApiKey['scopes'], ...expiry }
}
