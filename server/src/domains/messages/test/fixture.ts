import { createHmac } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { startHubWithUpstream, type UpstreamRequest } from '../../../../test/hub-with-upstream.ts'
import { startRelayed } from '../../../../test/relay.ts'
import type { NumberOptions, SeededNumber, Upstream } from '../../../../test/upstream.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import type { MessageEntry } from '../schemas.ts'

export type OwnerClient = Client & { organizationId: string; key: string }
export type ChannelNumber = { id: string; number: SeededNumber }
export type AcceptedMessage = {
  message_id: string
  wa_id: string
  biz_opaque_callback_data: string
  statuses: string[]
}

type Options = Parameters<typeof startHub>[1]
type SendOptions = { key?: string; as?: Client; body?: object; to?: string }

export type SendingFixture = Awaited<ReturnType<typeof startSending>>

let contacts = 0

/** The phone number of a new contact: the upstream allows each contact one message every six seconds. */
export function newContact(): string {
  contacts += 1
  return String(5511900000000 + contacts)
}

export function text(body = 'Olá', to = newContact()) {
  return { to, type: 'text', text: { body } }
}

export function newKey(): string {
  return `order-${newId()}`
}

/** A connected channel, and the requests of a client that sends with it. */
export async function startSending(t: TestContext, { number, ...options }: Options & { number?: NumberOptions } = {}) {
  const fixture = await startHubWithUpstream(t, options)
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme, number)
  return { ...fixture, ...createRequests(fixture, acme, channel), acme, channel }
}

/** The same with a relay before the upstream, with which a test holds back responses. */
export async function startRelayedSending(t: TestContext, options: Options = {}) {
  const { acme, number, id, ...fixture } = await startRelayed(t, options)
  const { simulator } = fixture.up
  const callback = { url: `${fixture.hub.url}/hooks/upstream`, verify_token: simulator.verifyToken }
  await simulator.control('PUT', '/callback', callback)
  const channel = { id, number }
  return { ...fixture, ...createRequests(fixture, acme, channel), acme, channel }
}

/** A second hub on the same database, as another process would be. */
export async function startSecondHub(t: TestContext, up: Upstream, options: Options & { url?: string } = {}) {
  const { url = up.simulator.url, ...rest } = options
  return startHub(t, { simulator: { ...up.simulator, url }, ...rest })
}

function createRequests({ hub, up }: { hub: TestHub; up: Upstream }, acme: OwnerClient, channel: ChannelNumber) {
  const path = `/api/v1/channels/${channel.id}/messages`

  async function acceptedMessages(of: ChannelNumber = channel): Promise<AcceptedMessage[]> {
    const all = await up.simulator.control<{
      messages: (AcceptedMessage & { phone_number_id: string; direction: string })[]
    }>('GET', '/messages')
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

    /** All sends that reached the upstream, with any outcome. */
    async sendRequests(): Promise<UpstreamRequest[]> {
      const log = await up.simulator.control<{ requests: UpstreamRequest[] }>('GET', '/requests')
      return log.requests.filter((request) => request.path.endsWith('/messages'))
    },

    /** The messages that the upstream accepted, after it has posted all callbacks that are due. */
    acceptedMessages,

    /** Advances the upstream's clock, and waits for the callbacks that become due. */
    async wait(seconds: number): Promise<void> {
      await up.simulator.control('POST', '/clock', { advance_seconds: seconds })
    },

    /** The channel's log, newest first. */
    log,

    /** The log entry of the last send. */
    async newest(): Promise<MessageEntry> {
      const [entry] = await log('limit=1')
      if (!entry) throw new Error('The log is empty')
      return entry
    },

    /** The entries in the channel's message.sent events, oldest first. */
    sent: () => listEventMessages(hub.sql, channel.id, 'message.sent'),

    /** Posts a status callback as the upstream does, to this hub or to another one. */
    async report(status: string, of: { wamid: string; callbackData: string }, to: TestHub = hub): Promise<Answer> {
      const { wabaId, phoneNumberId, display } = channel.number
      const metadata = { display_phone_number: display.replace(/\D/g, ''), phone_number_id: phoneNumberId }
      const timestamp = String(Math.floor(Date.now() / 1000))
      const { wamid: id, callbackData: biz_opaque_callback_data } = of
      const statuses = [{ id, status, timestamp, recipient_id: '5511900000000', biz_opaque_callback_data }]
      const value = { messaging_product: 'whatsapp', metadata, statuses }
      const entry = [{ id: wabaId, changes: [{ field: 'messages', value }] }]
      const bytes = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
      const signature = createHmac('sha256', up.simulator.appSecret).update(bytes).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
      return to.anonymous.send('POST', '/hooks/upstream', { raw: new Uint8Array(bytes), headers })
    },

    /** Raises the channel's rate limit for tests that send more than 80 messages a second. */
    async liftRateLimit(): Promise<void> {
      const subject = `${acme.organizationId}:${channel.id}`
      await hub.sql`
        insert into rate_limits (bucket, subject, used, window_ends_at)
        values ('sends', ${subject}, -100000, hub_now() + interval '1 day')
        on conflict (bucket, subject) do update set used = excluded.used, window_ends_at = excluded.window_ends_at`
    },
  }
}

/** The messages in the channel's events of a kind, oldest first. */
export async function listEventMessages(sql: Pool, channelId: string, kind: string): Promise<MessageEntry[]> {
  const rows = await sql<{ body: Buffer }[]>`
    select body
    from events
    where channel_id = ${channelId}
      and kind = ${kind}
    order by id`
  return rows.map(({ body }) => JSON.parse(body.toString()).data.message)
}

/** The status and the error code of a response; `ok` without an error. */
export function toStatusAndCode({ status, body }: Answer): [status: number, code: string] {
  return [status, body.error?.code ?? 'ok']
}
