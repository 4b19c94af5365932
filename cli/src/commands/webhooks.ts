import type { CreateWebhook, Hub, UpdateWebhook } from '@hubline/sdk'
import type { Arguments, Command, Context } from '../command.ts'
import { readList, readNumber, readText, wrongChoice } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { EVENT_KINDS, MEDIA_URLS } from '../generated/definitions.gen.ts'
import { findWebhookId } from '../names.ts'
import { formatTime, toStatusCell } from '../statuses.ts'

/** The actions on one endpoint. `create` and `update` take further options, and are handled apart. */
const ACTIONS = { test, pause, activate, rotate, delete: remove }
const OVERLAP_SECONDS_MAX = 86_400
const ACTION_NAMES = ['create', 'update', ...Object.keys(ACTIONS)]

export const webhooks: Command = {
  name: 'webhooks',
  summary: 'List, create, update, test, pause, activate, rotate or delete webhook endpoints',
  usage: '[create <url> | update | test | pause | activate | rotate | delete <webhook>]',
  description: `Refer to a webhook by its id, name or URL. \`rotate\` creates a new secret, which is shown once. The old secret ends at once or, with
--overlap, after a time in which your server can switch to the new one.`,
  actions: ACTION_NAMES,
  options: {
    name: {
      type: 'string',
      value: 'text',
      description: 'For create and update: the name (the host of the URL by default)',
    },
    events: {
      type: 'string',
      value: 'kinds',
      multiple: true,
      description: 'For create and update: the event types it receives (all by default)',
    },
    'media-urls': {
      type: 'string',
      value: 'where',
      choices: MEDIA_URLS,
      description: 'For create and update: where the URLs of files in messages lead (upstream by default)',
    },
    overlap: {
      type: 'string',
      value: 'seconds',
      description: 'For rotate: also sign with the previous secret for this long (0 by default, at most a day)',
    },
  },
  positionals: { min: 0, max: 2 },
  examples: [
    'hubline webhooks',
    'hubline webhooks create https://example.com/hook --events message.received,message.status',
    'hubline webhooks update CRM --media-urls hub',
    'hubline webhooks rotate CRM --overlap 3600',
  ],

  async run(context, { values, positionals: [action, target] }) {
    if (action !== undefined && !ACTION_NAMES.includes(action)) throw wrongChoice('the action', action, ACTION_NAMES)
    if (action !== undefined && target === undefined)
      throw usageError(
        `Missing argument. Usage: hubline webhooks ${action} <${action === 'create' ? 'url' : 'webhook'}>`,
      )
    if (values.overlap !== undefined && action !== 'rotate') throw usageError('--overlap applies only to rotate.')
    const overlapSeconds = readNumber(values, 'overlap', { min: 0, max: OVERLAP_SECONDS_MAX, otherwise: 0 })
    if (values['media-urls'] !== undefined && action !== 'create' && action !== 'update')
      throw usageError('--media-urls applies only to create and update.')
    const settings = readSettings(values)
    if (action === 'update' && Object.keys(settings).length === 0) {
      throw usageError('Give at least one change: --name, --events or --media-urls.')
    }
    const hub = await context.connect()
    if (action === undefined || target === undefined) return list(context, hub)
    if (action === 'create')
      return create(context, hub, { ...settings, name: settings.name ?? nameAfterHost(target), url: target })
    if (action === 'update') return update(context, hub, await findWebhookId(hub, target), settings)
    await ACTIONS[action as keyof typeof ACTIONS](context, hub, await findWebhookId(hub, target), overlapSeconds)
    return undefined
  },
}

async function list({ isJson, printData, table }: Context, hub: Hub): Promise<undefined> {
  const found = await hub.webhooks.list().toArray()
  if (isJson) return void printData({ webhooks: found })
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
    'No webhooks. Create one with `hubline webhooks create <url>`. `hubline listen` works without one.',
  )
}

async function create({ isJson, printData, say, paint }: Context, hub: Hub, body: CreateWebhook): Promise<undefined> {
  const created = await hub.webhooks.create(body)
  if (isJson) return void printData(created)
  say(`${paint('green', 'Created')} ${created.webhook.id}`)
  say(`Secret: ${paint('bold', created.secret)}\n${created.warning}`)
}

async function update(context: Context, hub: Hub, id: string, changes: UpdateWebhook): Promise<undefined> {
  const { isJson, printData, say } = context
  const updated = await hub.webhooks.update(id, changes)
  if (isJson) return void printData(updated)
  say(`Updated ${id}. Attempts from now on follow it.`)
}

async function test({ isJson, printData, say }: Context, hub: Hub, id: string): Promise<void> {
  const tested = await hub.webhooks.test(id)
  if (isJson) return printData(tested)
  say(`Queued the delivery ${tested.delivery_id}. \`hubline deliveries\` shows the result.`)
}

async function pause({ isJson, printData, say }: Context, hub: Hub, id: string): Promise<void> {
  const paused = await hub.webhooks.update(id, { status: 'paused' })
  if (isJson) return printData(paused)
  say(`Paused ${id}. New events are not sent to it; what is queued waits until \`hubline webhooks activate\`.`)
}

async function activate({ isJson, printData, say }: Context, hub: Hub, id: string): Promise<void> {
  const activated = await hub.webhooks.update(id, { status: 'active' })
  if (isJson) return printData(activated)
  say(`Activated ${id}. What was queued is sent now.`)
}

async function rotate(context: Context, hub: Hub, id: string, overlapSeconds: number): Promise<void> {
  const { isJson, printData, say, paint } = context
  // Without a body the hub also ends the overlap of an earlier rotation.
  const body = overlapSeconds === 0 ? undefined : { overlap_seconds: overlapSeconds }
  const rotated = await hub.webhooks.rotateSecret(id, body)
  if (isJson) return printData(rotated)
  say(`Secret: ${paint('bold', rotated.secret)}\n${rotated.warning}`)
  if (rotated.previous_valid_until === undefined) return
  say(`Until ${formatTime(rotated.previous_valid_until)} deliveries are also signed with the previous secret.`)
}

async function remove({ isJson, printData, say }: Context, hub: Hub, id: string): Promise<void> {
  const deleted = await hub.webhooks.delete(id)
  if (isJson) return printData(deleted)
  say(`Deleted ${id}.`)
}

type Settings = Pick<UpdateWebhook, 'name' | 'event_types' | 'media_urls'>

/** Returns the settings that were given. */
function readSettings(values: Arguments['values']): Settings {
  const name = readText(values, 'name')
  const kinds = parseKinds(readList(values, 'events'))
  const media_urls = MEDIA_URLS.find((known) => known === values['media-urls'])
  return {
    ...(name !== undefined && { name }),
    ...(kinds.length > 0 && { event_types: kinds }),
    ...(media_urls && { media_urls }),
  }
}

/** The path and the query of an address often hold a credential, and a name is shown in many places. */
function nameAfterHost(url: string): string {
  if (!URL.canParse(url)) throw usageError('The address of a webhook must be a URL like https://example.com/hook.')
  return new URL(url).host.slice(0, 100)
}

export function parseKinds(names: string[]): (typeof EVENT_KINDS)[number][] {
  return names.map((name) => {
    const kind = EVENT_KINDS.find((known) => known === name)
    if (kind === undefined) throw wrongChoice('an event type', name, EVENT_KINDS)
    return kind
  })
}
