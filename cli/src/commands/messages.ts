import type { Hub, MessageEntry, Page } from '@hubline/sdk'
import type { Command, Context } from '../command.ts'
import { readNumber, readText } from '../command.ts'
import { DIRECTIONS } from '../generated/definitions.gen.ts'
import { findChannelId } from '../names.ts'
import { poll } from '../polling.ts'
import { formatTime, STATUS_STYLES, toStatusCell } from '../statuses.ts'
import { sanitize } from '../terminal.ts'

const PAGE_MAX = 100
const TEXT_LENGTH = 60

/** A page of the API: the cursor continues after its last message. */
type Newest = { messages: MessageEntry[]; next_cursor: string | null }
type Filter = { direction?: (typeof DIRECTIONS)[number]; status?: string; person?: string }

export const messages: Command = {
  name: 'messages',
  summary: "List a channel's messages, or follow them",
  usage: '<channel> [--tail]',
  options: {
    tail: { type: 'boolean', short: 'f', description: 'Keep printing new messages and statuses until Ctrl-C' },
    limit: { type: 'string', short: 'n', value: 'number', description: 'Number of messages to list (20 by default)' },
    direction: { type: 'string', value: 'direction', choices: DIRECTIONS, description: 'List only this direction' },
    status: { type: 'string', value: 'status', description: 'List only messages with this status' },
    person: { type: 'string', value: 'person', description: 'List only messages with this phone number or user id' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    'hubline messages Padaria --tail',
    'hubline messages Padaria --direction inbound --json',
    'hubline messages Padaria --person BR.1349567890',
  ],

  async run(context, { values, positionals: [name = ''] }) {
    const limit = readNumber(values, 'limit', { min: 1, max: 10_000, otherwise: 20 })
    const [direction, status] = [readText(values, 'direction'), readText(values, 'status')]
    const person = readText(values, 'person')
    const filter = {
      ...(direction && { direction: direction as Filter['direction'] }),
      ...(status && { status }),
      ...(person && { person }),
    } as Filter
    const hub = await context.connect()
    const channelId = await findChannelId(hub, name)
    context.progress('Reading…')
    const found = await readNewest(hub, channelId, filter, limit)
    if (values.tail === true) return tail(context, hub, channelId, filter, found.messages)
    if (context.isJson) return void context.printData(found)
    const rows = found.messages.map((one) => [
      formatTime(one.created_at),
      formatParty(one),
      toStatusCell(one.status),
      summarize(one),
      one.id,
    ])
    context.table(['TIME', 'CONTACT', 'STATUS', 'MESSAGE', 'ID'], rows, 'No messages.')
    return undefined
  },
}

async function readNewest(hub: Hub, channelId: string, filter: Filter, limit: number): Promise<Newest> {
  const messages: MessageEntry[] = []
  let cursor: string | null = null
  do {
    const query = { ...filter, limit: Math.min(limit - messages.length, PAGE_MAX), ...(cursor !== null && { cursor }) }
    const page: Page<MessageEntry> = await hub.messages.list(channelId, query).firstPage()
    messages.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && messages.length < limit)
  return { messages, next_cursor: cursor }
}

/** Prints each message once and again for each new status, oldest first. */
async function tail(
  context: Context,
  hub: Hub,
  channelId: string,
  filter: Filter,
  first: MessageEntry[],
): Promise<number> {
  const statuses = new Map<string, string>()
  function show(entries: MessageEntry[]): void {
    for (const entry of [...entries].reverse()) {
      if (statuses.get(entry.id) === entry.status) continue
      statuses.set(entry.id, entry.status)
      if (context.isJson) context.printJson(entry)
      else context.say(formatLine(context, entry))
    }
  }
  show(first)
  await poll(context, async () => show((await readNewest(hub, channelId, filter, PAGE_MAX)).messages))
  return 0
}

function formatLine({ paint }: Context, entry: MessageEntry): string {
  const status = paint(STATUS_STYLES[entry.status] ?? 'cyan', entry.status.padEnd(9))
  return `${paint('dim', formatTime(entry.created_at))}  ${status}  ${sanitize(formatParty(entry))}  ${sanitize(summarize(entry))}`
}

function formatParty({ direction, from, to, contact }: MessageEntry): string {
  const number = (direction === 'inbound' ? from : to) ?? contact?.user_id ?? '?'
  return `${direction === 'inbound' ? '←' : '→'} ${number}${contact?.name ? ` (${contact.name})` : ''}`
}

function summarize({ type, content, error }: MessageEntry): string {
  if (error) return `${type}: ${error.title ?? error.details ?? `error ${error.code}`}`
  const { body, caption, name, emoji } = (content ?? {}) as Record<string, unknown>
  const text = [body, caption, name, emoji].find((one) => typeof one === 'string') as string | undefined
  const whole = text === undefined ? type : type === 'text' ? text : `${type}: ${text}`
  return whole.length > TEXT_LENGTH ? `${whole.slice(0, TEXT_LENGTH - 1)}…` : whole
}
