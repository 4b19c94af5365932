import type { Command } from '../command.ts'
import { readList, readText, wrongChoice } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { EVENT_KINDS } from '../generated/definitions.gen.ts'
import { findWebhookId } from '../names.ts'
import { toStatusCell } from '../statuses.ts'

const ACTIONS = ['create', 'test', 'delete'] as const

export const webhooks: Command = {
  name: 'webhooks',
  summary: 'List webhook endpoints, create, test or delete one',
  usage: '[create <url> | test <webhook> | delete <webhook>]',
  description: 'A webhook is given by its id, its name or its URL.',
  actions: ACTIONS,
  options: {
    name: { type: 'string', value: 'text', description: 'The name of a new one (its host by default)' },
    events: {
      type: 'string',
      value: 'kinds',
      multiple: true,
      description: 'The kinds that a new one gets (all by default)',
    },
  },
  positionals: { min: 0, max: 2 },
  examples: [
    'hubline webhooks',
    'hubline webhooks create https://example.com/hook --events message.received,message.status',
  ],

  async run({ connect, isJson, printJson, table, say, paint }, { values, positionals: [action, target] }) {
    if (action !== undefined && !(ACTIONS as readonly string[]).includes(action))
      throw wrongChoice('The action', action, ACTIONS)
    if (action !== undefined && target === undefined)
      throw usageError(`Say which: hubline webhooks ${action} <${action === 'create' ? 'url' : 'webhook'}>`)
    const events = parseKinds(readList(values, 'events'))
    const hub = await connect()
    if (action === 'create' && target !== undefined) {
      const created = await hub.webhooks.create({
        name: readText(values, 'name') ?? nameAfterHost(target),
        url: target,
        event_types: events,
      })
      if (isJson) return void printJson(created)
      say(`${paint('green', 'Created')} ${created.webhook.id}`)
      say(`Secret: ${paint('bold', created.secret)}\n${created.warning}`)
      return
    }
    if (action === 'test' && target !== undefined) {
      const tested = await hub.webhooks.test(await findWebhookId(hub, target))
      if (isJson) return void printJson(tested)
      say(`Queued the delivery ${tested.delivery_id}. \`hubline deliveries\` shows its result.`)
      return
    }
    if (action === 'delete' && target !== undefined) {
      const id = await findWebhookId(hub, target)
      const deleted = await hub.webhooks.delete(id)
      if (isJson) return void printJson(deleted)
      say(`Deleted ${id}.`)
      return
    }
    const found = await hub.webhooks.list().toArray()
    if (isJson) return void printJson(found)
    table(
      ['ID', 'NAME', 'STATUS', 'FAILURES', 'EVENTS', 'URL'],
      found.map((one) => [
        one.id,
        one.name,
        toStatusCell(one.status),
        String(one.consecutive_failures),
        one.events.length === 0 ? 'all' : one.events.join(','),
        one.url,
      ]),
      'No webhooks. `hubline webhooks create <url>` makes one; `hubline listen` needs none.',
    )
  },
}

/** The path and the query of an address often hold a credential, and a name is shown in many places. */
function nameAfterHost(url: string): string {
  if (!URL.canParse(url)) throw usageError('The address of a webhook must be a URL like https://example.com/hook.')
  return new URL(url).host.slice(0, 100)
}

export function parseKinds(names: string[]): (typeof EVENT_KINDS)[number][] {
  return names.map((name) => {
    const kind = EVENT_KINDS.find((known) => known === name)
    if (kind === undefined) throw wrongChoice('A kind of event', name, EVENT_KINDS)
    return kind
  })
}
