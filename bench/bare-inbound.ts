import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import type { Pool } from '../server/src/kernel/db/pool.ts'
import { rows } from '../server/src/kernel/db/rows.ts'
import { newId } from '../server/src/kernel/ids.ts'
import { APP } from './app.ts'
import type { BenchChannel } from './bench-hub.ts'

type Message = { from: string; id: string; timestamp: string; type: string; [content: string]: unknown }
type Change = {
  field: string
  value: {
    metadata: { phone_number_id: string; display_phone_number: string }
    contacts: { profile: { name: string }; user_id: string }[]
    messages: Message[]
  }
}
type Callback = { object: string; entry: { id: string; changes: Change[] }[] }

/**
 * The baseline for a callback: verifies, parses, and writes the rows of the hub in
 * one statement. The channels of the numbers are in memory, and repeated, late or
 * malformed updates are not handled.
 */
export async function startBareInbound(sql: Pool, channels: BenchChannel[]) {
  const byNumber = new Map(channels.map((channel) => [channel.number.phoneNumberId, channel]))
  const app = Fastify({ bodyLimit: 4 * 1024 * 1024 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post<{ Body: Buffer }>('/hooks/upstream', async ({ body, headers }, reply) => {
    const given = Buffer.from(String(headers['x-hub-signature-256']).slice('sha256='.length), 'hex')
    const own = createHmac('sha256', APP.appSecret).update(body).digest()
    if (!timingSafeEqual(given, own)) return reply.code(401).send('')
    await insertCallback(sql, body, toRows(JSON.parse(body.toString()), byNumber))
    return reply.send('')
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() }
}

type Row = ReturnType<typeof toRow>

function toRows({ object, entry }: Callback, byNumber: Map<string, BenchChannel>): Row[] {
  return entry.flatMap(({ id, changes }) =>
    changes.flatMap((change) => {
      const channel = byNumber.get(change.value.metadata.phone_number_id)
      const raw = Buffer.from(JSON.stringify({ object, entry: [{ id, changes: [change] }] }))
      return channel ? change.value.messages.map((message) => toRow(channel, change, message, raw)) : []
    }),
  )
}

/** The values of all rows that the hub writes for one message. */
function toRow(channel: BenchChannel, { value }: Change, message: Message, raw: Buffer) {
  const { organizationId, id: channelId } = channel
  const [person] = value.contacts
  const hex = createHash('sha256').update(raw).digest('hex')
  const at = new Date(Number(message.timestamp) * 1000).toISOString()
  const entry = {
    id: newId(),
    channel_id: channelId,
    direction: 'inbound',
    type: message.type,
    status: 'received',
    from: message.from,
    to: value.metadata.display_phone_number,
    contact: { name: person?.profile.name ?? null, user_id: person?.user_id ?? null },
    upstream_message_id: message.id,
    content: message[message.type],
    context: null,
    error: null,
    pricing: null,
    created_at: at,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
  }
  const eventId = newId()
  const event = { id: eventId, event: 'message.received', channel_id: channelId, occurred_at: at }
  return {
    organizationId,
    channelId,
    fingerprint: hex.slice(0, 32),
    at,
    id: entry.id,
    type: entry.type,
    sender: entry.from,
    recipient: entry.to,
    contact: entry.contact,
    wamid: entry.upstream_message_id,
    content: entry.content,
    eventId,
    body: Buffer.from(JSON.stringify({ ...event, data: { message: entry } })),
    rawId: newId(),
    raw,
  }
}

const COLUMNS = {
  organizationId: 'uuid',
  channelId: 'uuid',
  fingerprint: 'uuid',
  at: 'timestamptz',
  id: 'uuid',
  type: 'text',
  sender: 'text',
  recipient: 'text',
  contact: 'json',
  wamid: 'text',
  content: 'json',
  eventId: 'uuid',
  body: 'bytea',
  rawId: 'uuid',
  raw: 'bytea',
} as const

async function insertCallback(sql: Pool, bytes: Buffer, messages: Row[]): Promise<void> {
  await sql`
    with r as (
      select *
      from ${rows(sql, messages, COLUMNS)} as r
    ),
    kept as (insert into callbacks (id, body) values (${newId()}, ${bytes})),
    seen as (
      insert into seen_changes (organization_id, channel_id, fingerprint)
      select organization_id, channel_id, fingerprint
      from r
    ),
    named as (
      insert into message_wamids (organization_id, channel_id, wamid, message_id)
      select organization_id, channel_id, wamid, id
      from r
    ),
    logged as (
      insert into messages (organization_id, channel_id, id, direction, type, status, sender, recipient, contact,
        upstream_message_id, content, created_at)
      select organization_id, channel_id, id, 'inbound', type, 'received', sender, recipient, contact, wamid,
        content, at
      from r
    )
    insert into events (organization_id, id, kind, channel_id, occurred_at, body)
    select organization_id, event_id, 'message.received', channel_id, at, body
    from r
    union all
    select organization_id, raw_id, 'upstream.raw', channel_id, at, raw
    from r`
}
