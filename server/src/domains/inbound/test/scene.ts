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
export type Recorded = { kind: string; occurred_at: string; body: Buffer }
type Body = string | Buffer | object

/** The time of what has no time of its own to tell. */
export const AT = 1_790_000_000

export type Scene = Awaited<ReturnType<typeof startInbound>>

/** A hub with one connected channel, and a hand that signs and posts callbacks as the upstream does. */
export async function startInbound(t: TestContext, options: Parameters<typeof startHubWithUpstream>[1] = {}) {
  const world = await startHubWithUpstream(t, options)
  const { hub, up } = world
  const channel = await connected(world)

  function sign(bytes: Buffer): string {
    return `sha256=${createHmac('sha256', up.simulator.appSecret).update(bytes).digest('hex')}`
  }

  /** Posts bytes with a good signature; what is no text and no bytes is printed first. */
  async function post(body: Body, headers: Record<string, string> = {}): Promise<Answer> {
    const bytes = bytesOf(body)
    return hub.anonymous.send('POST', '/hooks/upstream', {
      raw: new Uint8Array(bytes),
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(bytes), ...headers },
    })
  }

  /** Posts entries as one callback, which must be taken. */
  async function deliver(...entries: Entry[]): Promise<void> {
    const answer = await post(callbackOf(...entries))
    assert.equal(answer.status, 200, answer.text)
  }

  return {
    ...{ ...world, channel, acme: channel.owner, sign, post, deliver },
    sql: hub.sql,

    /** Another channel: of the given owner or of somebody new, in the given account or in one of its own. */
    another: (where: { owner?: Channel['owner']; wabaId?: string } = {}) => connected(world, where),

    /** Changes of the `messages` field of a number. */
    say: (...values: object[]) => deliver(saying(channel, ...values)),

    log: (of: Channel = channel) => logOf(of),

    /** Sends by the API, as a caller does; the upstream accepts. */
    async send(content: object = { type: 'text', text: { body: 'Bom dia!' } }): Promise<{ id: string; wamid: string }> {
      const body = { to: '5511987654321', ...content }
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await channel.owner.post(`/api/v1/channels/${channel.id}/messages`, body, { headers })
      assert.equal(answer.status, 202, answer.text)
      const { id, upstream_message_id: wamid } = answer.body.data.message
      return { id, wamid }
    },

    /** What was recorded of a channel, in order, without the `upstream.raw` events. */
    async events(of: { id: string } = channel): Promise<Recorded[]> {
      return (await recordedOf(hub.sql, of)).filter(({ kind }) => kind !== 'upstream.raw')
    },

    async raws(of: { id: string } = channel): Promise<Buffer[]> {
      return (await recordedOf(hub.sql, of)).filter(({ kind }) => kind === 'upstream.raw').map(({ body }) => body)
    },
  }
}

async function connected(
  world: HubWithUpstream,
  where: { owner?: Channel['owner']; wabaId?: string } = {},
): Promise<Channel> {
  const owner = where.owner ?? (await world.hub.organization())
  const number = where.wabaId === undefined ? await world.up.number() : await numberIn(world, where.wabaId)
  const { id } = await createChannel(owner)
  const answer = await world.post(await createLink(owner, id), number, {
    pin: PIN,
    phone_number_id: number.phoneNumberId,
  })
  assert.equal(answer.status, 200, answer.text)
  return { id, number, digits: number.display.replace(/\D/g, ''), owner }
}

async function numberIn({ up }: HubWithUpstream, wabaId: string): Promise<SeededNumber> {
  const made = await up.simulator.control<{ phone_number_id: string; display_phone_number: string }>(
    'POST',
    `/accounts/${wabaId}/numbers`,
    { registered: true },
  )
  return { wabaId, phoneNumberId: made.phone_number_id, accessToken: '', display: made.display_phone_number }
}

/** The whole log as its owner reads it, oldest first. */
async function logOf({ owner, id }: Channel): Promise<MessageEntry[]> {
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

async function recordedOf(sql: Scene['sql'], { id }: { id: string }): Promise<Recorded[]> {
  return sql<Recorded[]>`
    select kind, occurred_at, body
    from events
    where channel_id = ${id}
    order by id`
}

/** The `data` of events, where it is what a test is about. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an event is what a test asserts
export function dataOf(events: Recorded[], kind?: string): any[] {
  return events
    .filter((event) => kind === undefined || event.kind === kind)
    .map(({ body }) => JSON.parse(`${body}`).data)
}

export function callbackOf(...entries: Entry[]): { object: string; entry: Entry[] } {
  return { object: 'whatsapp_business_account', entry: entries }
}

/** An entry of the channel's account with a time, as all fields but the messaging ones have. */
export function telling({ number }: Channel, field: string, value: unknown, time: number = AT): Entry {
  return { id: number.wabaId, time, changes: [{ field, value }] }
}

/** An entry with one change of the `messages` field for each value. */
export function saying(channel: Channel, ...values: object[]): Entry {
  return {
    id: channel.number.wabaId,
    changes: values.map((value) => ({ field: 'messages', value: { ...framed(channel), ...value } })),
  }
}

/** What every value of a messaging field begins with. */
export function framed({ number, digits }: Channel) {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: digits, phone_number_id: number.phoneNumberId },
  }
}

export function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function bytesOf(body: Body): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
