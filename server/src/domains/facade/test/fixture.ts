import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { bearer, type TestHub } from '../../../../test/hub.ts'
import { startHubWithUpstream, type UpstreamRequest } from '../../../../test/hub-with-upstream.ts'
import { startRelayed } from '../../../../test/relay.ts'
import type { SeededNumber } from '../../../../test/upstream.ts'
import { CHANNEL_TOKEN_SCOPES } from '../../auth/scopes.ts'
import { buildForm, MULTIPART, type Part } from '../../media/test/uploads.ts'
import type { MessageEntry } from '../../messages/schemas.ts'

export type FacadeFixture = Awaited<ReturnType<typeof startFacade>>

export const TEMPLATE = {
  name: 'order_ready',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

/** An organization may have as many channels as a test needs. */
const UNBILLED = { BILLING: 'off' }

let contacts = 0

/** The phone number of a new contact: the upstream allows each contact one message every six seconds. */
export function newContact(): string {
  contacts += 1
  return String(5511940000000 + contacts)
}

/** A connected channel and a client with its token. */
export async function startFacade(t: TestContext, options: Parameters<typeof startHubWithUpstream>[1] = {}) {
  const fixture = await startHubWithUpstream(t, { ...options, env: { ...UNBILLED, ...options.env } })
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  const before = (await fixture.requests()).length

  /** The hub's calls to the upstream since the channel was connected. */
  async function upstreamCalls(): Promise<UpstreamRequest[]> {
    return (await fixture.requests()).slice(before)
  }

  /** The messages in the log, newest first. */
  async function log(): Promise<MessageEntry[]> {
    const page = await acme.get(`/api/v1/channels/${channel.id}/messages?limit=100`)
    return page.body.data.messages
  }

  /** The messages in the channel's events of a kind, oldest first. */
  async function listEventMessages(kind: string): Promise<MessageEntry[]> {
    const rows = await fixture.hub.sql<{ body: Buffer }[]>`
      select body from events where channel_id = ${channel.id} and kind = ${kind} order by id`
    return rows.map(({ body }) => JSON.parse(body.toString()).data.message)
  }

  async function readChannelStatus(): Promise<string> {
    return (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status
  }

  /** Raises the channel's rate limit for tests that send more than 80 requests a second. */
  async function liftRateLimit(): Promise<void> {
    const subject = `${acme.organizationId}:${channel.id}`
    await fixture.hub.sql`
      insert into rate_limits (bucket, subject, used, window_ends_at)
      values ('facade', ${subject}, -1000000, hub_now() + interval '1 day'),
             ('sends', ${subject}, -1000000, hub_now() + interval '1 day')
      on conflict (bucket, subject) do update set used = excluded.used, window_ends_at = excluded.window_ends_at`
  }

  return {
    ...fixture,
    acme,
    channel,
    upstreamCalls,
    log,
    listEventMessages,
    readChannelStatus,
    liftRateLimit,
    ...createChannelClient(fixture, channel),
  }
}

/** The same with a relay before the upstream, for responses that the simulator cannot produce. */
export async function startRelayedFacade(t: TestContext, options: Parameters<typeof startRelayed>[1] = {}) {
  const { acme, number, id, ...fixture } = await startRelayed(t, { ...options, env: { ...UNBILLED, ...options.env } })
  const { token } = await fixture.hub.channelToken(acme.organizationId, id, CHANNEL_TOKEN_SCOPES)
  const channel = { id, number, token }
  return { ...fixture, acme, channel, ...createChannelClient(fixture, channel) }
}

/** A client with a channel's token, and the channel's paths in the facade. */
export function createChannelClient(
  { hub }: { hub: TestHub },
  { token, number }: { token: string; number: SeededNumber },
) {
  return {
    client: hub.anonymous.with(bearer(token)),
    phone: `/upstream/${number.phoneNumberId}`,
    waba: `/upstream/${number.wabaId}`,
  }
}

/** Sends a multipart form. */
export function postForm(client: Client, path: string, parts: Part[]): Promise<Answer> {
  return client.send('POST', path, { raw: buildForm(parts), headers: MULTIPART })
}

/** The status and the error code of a response; `ok` without an error. */
export function toStatusAndCode({ status, body }: Answer): [status: number, code: string] {
  return [status, body?.error?.code ?? 'ok']
}

export async function createTemplate(
  { client, waba }: Pick<FacadeFixture, 'client' | 'waba'>,
  name: string,
): Promise<string> {
  const made = await client.post(`${waba}/message_templates`, { ...TEMPLATE, name })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}
