import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import {
  createChannel,
  createLink,
  type HubWithUpstream,
  PIN,
  startHubWithUpstream,
} from '../../../../test/hub-with-upstream.ts'
import type { SeededNumber } from '../../../../test/upstream.ts'
import type { MessageEntry } from '../../messages/schemas.ts'

export type Change = { field: string; value: unknown }
export type Entry = { id?: unknown; time?: unknown; changes: Change[] }
export type Channel = { id: string; number: SeededNumber; digits: string; owner: Client & { organizationId: string } }
export type RecordedEvent = { kind: string; occurred_at: string; body: Buffer }
type Body = string | Buffer | object

/** The default time of samples, in Unix seconds. */
export const AT = 1_790_000_000

export type InboundFixture = Awaited<ReturnType<typeof startInbound>>

/** A hub with one connected channel, and requests that sign and post callbacks as the upstream does. */
export async function startInbound(t: TestContext, options: Parameters<typeof startHubWithUpstream>[1] = {}) {
  const fixture = await startHubWithUpstream(t, options)
  const { hub, up } = fixture
  const channel = await connectChannel(fixture)

  function sign(bytes: Buffer): string {
    return `sha256=${createHmac('sha256', up.simulator.appSecret).update(bytes).digest('hex')}`
  }

  /** Posts bytes with a valid signature; objects are sent as JSON. */
  async function post(body: Body, headers: Record<string, string> = {}): Promise<Answer> {
    const bytes = toBytes(body)
    return hub.anonymous.send('POST', '/hooks/upstream', {
      raw: new Uint8Array(bytes),
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(bytes), ...headers },
    })
  }

  /** Posts entries as one callback, and asserts 200. */
  async function deliver(...entries: Entry[]): Promise<void> {
    const answer = await post(buildCallback(...entries))
    assert.equal(answer.status, 200, answer.text)
  }

  return {
    ...fixture,
    channel,
    acme: channel.owner,
    sign,
    post,
    deliver,
    sql: hub.sql,

    /** Connects another channel: of the given or a new organization, in the given or a new account. */
    connectAnother: (where: { owner?: Channel['owner']; wabaId?: string; coexistence?: boolean } = {}) =>
      connectChannel(fixture, where),

    /** Delivers changes of the `messages` field. */
    deliverMessages: (...values: object[]) => deliver(buildMessagesEntry(channel, ...values)),

    log: (of: Channel = channel) => readLog(of),

    /** Sends a message through the API. */
    async send(content: object = { type: 'text', text: { body: 'Bom dia!' } }): Promise<{ id: string; wamid: string }> {
      const body = { to: '5511987654321', ...content }
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await channel.owner.post(`/api/v1/channels/${channel.id}/messages`, body, { headers })
      assert.equal(answer.status, 202, answer.text)
      const { id, upstream_message_id: wamid } = answer.body.data.message
      return { id, wamid }
    },

    /** The events of a channel in order, without `upstream.raw`. */
    async events(of: { id: string } = channel): Promise<RecordedEvent[]> {
      return (await listEvents(hub.sql, of)).filter(({ kind }) => kind !== 'upstream.raw')
    },

    async rawEvents(of: { id: string } = channel): Promise<Buffer[]> {
      return (await listEvents(hub.sql, of)).filter(({ kind }) => kind === 'upstream.raw').map(({ body }) => body)
    },
  }
}

async function connectChannel(
  fixture: HubWithUpstream,
  where: { owner?: Channel['owner']; wabaId?: string; coexistence?: boolean } = {},
): Promise<Channel> {
  const owner = where.owner ?? (await fixture.hub.organization())
  const number =
    where.wabaId === undefined
      ? await fixture.up.number({ coexistence: where.coexistence ?? false })
      : await createNumber(fixture, where.wabaId)
  const { id } = await createChannel(owner)
  const answer = await fixture.post(await createLink(owner, id), number, {
    pin: PIN,
    phone_number_id: number.phoneNumberId,
  })
  assert.equal(answer.status, 200, answer.text)
  return { id, number, digits: number.display.replace(/\D/g, ''), owner }
}

async function createNumber({ up }: HubWithUpstream, wabaId: string): Promise<SeededNumber> {
  const made = await up.simulator.control<{ phone_number_id: string; display_phone_number: string }>(
    'POST',
    `/accounts/${wabaId}/numbers`,
    { registered: true },
  )
  return { wabaId, phoneNumberId: made.phone_number_id, accessToken: '', display: made.display_phone_number }
}

/** The whole log, oldest first. */
async function readLog({ owner, id }: Channel): Promise<MessageEntry[]> {
  const entries: MessageEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Answer = await owner.get(`/api/v1/channels/${id}/messages?limit=100${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200, page.text)
    entries.push(...page.body.data.messages)
    cursor = page.body.data.next_cursor
  }
  return entries.reverse()
}

async function listEvents(sql: InboundFixture['sql'], { id }: { id: string }): Promise<RecordedEvent[]> {
  return sql<RecordedEvent[]>`
    select kind, occurred_at, body
    from events
    where channel_id = ${id}
    order by id`
}

/** The `data` of events. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an event is what a test asserts
export function readData(events: RecordedEvent[], kind?: string): any[] {
  return events
    .filter((event) => kind === undefined || event.kind === kind)
    .map(({ body }) => JSON.parse(`${body}`).data)
}

export function buildCallback(...entries: Entry[]): { object: string; entry: Entry[] } {
  return { object: 'whatsapp_business_account', entry: entries }
}

/** An entry of the channel's account with a time, as all fields except the messaging ones have. */
export function buildEntry({ number }: Channel, field: string, value: unknown, time: number = AT): Entry {
  return { id: number.wabaId, time, changes: [{ field, value }] }
}

/** An entry with one change of the `messages` field for each value. */
export function buildMessagesEntry(channel: Channel, ...values: object[]): Entry {
  return {
    id: channel.number.wabaId,
    changes: values.map((value) => ({ field: 'messages', value: { ...buildMetadata(channel), ...value } })),
  }
}

/** The members that every value of a messaging field starts with. */
export function buildMetadata({ number, digits }: Channel) {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: digits, phone_number_id: number.phoneNumberId },
  }
}

export function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function toBytes(body: Body): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
