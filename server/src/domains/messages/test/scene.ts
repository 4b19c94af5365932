import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { startWorld, type UpstreamRequest } from '../../../../test/connecting.ts'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { startRelayed } from '../../../../test/relay.ts'
import type { SeededNumber, startUpstream } from '../../../../test/upstream.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import type { MessageEntry } from '../../events/schemas.ts'

export type Owner = Client & { organizationId: string; key: string }
export type Place = { id: string; number: SeededNumber }
export type Taken = { message_id: string; wa_id: string; biz_opaque_callback_data: string; statuses: string[] }

type Upstream = Awaited<ReturnType<typeof startUpstream>>
type Options = Parameters<typeof startHub>[1]
type SendOptions = { key?: string; as?: Client; body?: object; to?: string }

export type Scene = Awaited<ReturnType<typeof startSending>>

let people = 0

/** Somebody to whom nothing was sent yet: the upstream allows one person a message every six seconds. */
export function somebody(): string {
  people += 1
  return String(5511900000000 + people)
}

export function text(body = 'Olá', to = somebody()) {
  return { to, type: 'text', text: { body } }
}

export function newKey(): string {
  return `order-${newId()}`
}

/** A connected channel, and the verbs of those who send by it. */
export async function startSending(t: TestContext, options: Options = {}) {
  const world = await startWorld(t, options)
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  return { ...world, ...verbs(world, acme, channel), acme, channel }
}

/** The same, with a relay between the hub and the upstream, by which a test holds a send on its way. */
export async function startRelayedSending(t: TestContext, options: Options = {}) {
  const { acme, number, id, ...world } = await startRelayed(t, options)
  const { simulator } = world.up
  const callback = { url: `${world.hub.url}/hooks/upstream`, verify_token: simulator.verifyToken }
  await simulator.control('PUT', '/callback', callback)
  const channel = { id, number }
  return { ...world, ...verbs(world, acme, channel), acme, channel }
}

/** Another process of the same hub, for all that a test can tell. */
export async function startBeside(t: TestContext, up: Upstream, options: Options & { url?: string } = {}) {
  const { url = up.simulator.url, ...rest } = options
  return startHub(t, { simulator: { ...up.simulator, url }, ...rest })
}

function verbs({ hub, up }: { hub: TestHub; up: Upstream }, acme: Owner, channel: Place) {
  const path = `/api/v1/channels/${channel.id}/messages`

  async function taken(of: Place = channel): Promise<Taken[]> {
    const all = await up.simulator.control<{ messages: (Taken & { phone_number_id: string; direction: string })[] }>(
      'GET',
      '/messages',
    )
    return all.messages.filter(
      (message) => message.phone_number_id === of.number.phoneNumberId && message.direction === 'outbound',
    )
  }

  async function log(query = 'limit=100', as: Client = acme): Promise<MessageEntry[]> {
    const page = await as.get(`${path}?${query}`)
    if (page.status !== 200) throw new Error(page.text)
    return page.body.data.messages
  }

  return {
    path,

    send: ({ key = newKey(), as = acme, to, body = text(undefined, to) }: SendOptions = {}): Promise<Answer> =>
      as.post(path, body, { headers: { 'idempotency-key': key } }),

    /** What the upstream was asked to send, whatever became of it. */
    async asked(): Promise<UpstreamRequest[]> {
      const log = await up.simulator.control<{ requests: UpstreamRequest[] }>('GET', '/requests')
      return log.requests.filter((request) => request.path.endsWith('/messages'))
    },

    /** What the upstream took, and so will deliver. Whatever is due by then has been posted and answered. */
    taken,

    /** Lets the upstream's time pass, with every status that falls due. */
    async wait(seconds: number): Promise<void> {
      await up.simulator.control('POST', '/clock', { advance_seconds: seconds })
    },

    /** The channel's log, newest first. */
    log,

    /** The line of the last send. */
    async newest(): Promise<MessageEntry> {
      const [entry] = await log('limit=1')
      if (!entry) throw new Error('The log is empty')
      return entry
    },

    /** The entries in the channel's message.sent events, oldest first. */
    sent: () => recorded(hub.sql, channel.id, 'message.sent'),

    /** What the upstream posts when a message has come so far; to this hub, or to one beside it. */
    async report(status: string, of: { wamid: string; opaque: string }, to: TestHub = hub): Promise<Answer> {
      const { wabaId, phoneNumberId, display } = channel.number
      const metadata = { display_phone_number: display.replace(/\D/g, ''), phone_number_id: phoneNumberId }
      const timestamp = String(Math.floor(Date.now() / 1000))
      const { wamid: id, opaque: biz_opaque_callback_data } = of
      const statuses = [{ id, status, timestamp, recipient_id: '5511900000000', biz_opaque_callback_data }]
      const value = { messaging_product: 'whatsapp', metadata, statuses }
      const entry = [{ id: wabaId, changes: [{ field: 'messages', value }] }]
      const bytes = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
      const signature = createHmac('sha256', up.simulator.appSecret).update(bytes).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
      return to.anonymous.send('POST', '/hooks/upstream', { raw: new Uint8Array(bytes), headers })
    },

    /** Lets a test send more in a second than the channel's limit allows. */
    async liftLimit(): Promise<void> {
      const subject = `${acme.organizationId}:${channel.id}`
      await hub.sql`
        insert into rate_limits (bucket, subject, used, window_ends_at)
        values ('sends', ${subject}, -100000, hub_now() + interval '1 day')
        on conflict (bucket, subject) do update set used = excluded.used, window_ends_at = excluded.window_ends_at`
    },
  }
}

export async function recorded(sql: Pool, channelId: string, kind: string): Promise<MessageEntry[]> {
  const rows = await sql<{ body: Buffer }[]>`
    select body
    from events
    where channel_id = ${channelId}
      and kind = ${kind}
    order by id`
  return rows.map(({ body }) => JSON.parse(body.toString()).data.message)
}

/** What an answer comes to, short enough to compare. */
export function told({ status, body }: Answer): [status: number, code: string] {
  return [status, body.error?.code ?? 'ok']
}
