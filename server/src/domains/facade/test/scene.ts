import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { startWorld, type UpstreamRequest } from '../../../../test/connecting.ts'
import { bearer, type TestHub } from '../../../../test/hub.ts'
import { startRelayed } from '../../../../test/relay.ts'
import type { SeededNumber } from '../../../../test/upstream.ts'
import { CHANNEL_TOKEN_SCOPES } from '../../auth/scopes.ts'
import type { MessageEntry } from '../../events/schemas.ts'
import { formOf, MULTIPART, type Part } from '../../media/test/uploads.ts'

export type Scene = Awaited<ReturnType<typeof startFacade>>

export const TEMPLATE = {
  ...{ name: 'order_ready', language: 'pt_BR', category: 'UTILITY' },
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

/** An organization may have as many channels as a test needs. */
const UNBILLED = { BILLING: 'off' }

let people = 0

/** Somebody to whom nothing was sent yet: the upstream allows one person a message every six seconds. */
export function somebody(): string {
  people += 1
  return String(5511940000000 + people)
}

/** A connected channel, a client that holds its token, and what both come to. */
export async function startFacade(t: TestContext, options: Parameters<typeof startWorld>[1] = {}) {
  const world = await startWorld(t, { ...options, env: { ...UNBILLED, ...options.env } })
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  const before = (await world.requests()).length

  /** What was asked of the upstream since the channel was connected. */
  async function asked(): Promise<UpstreamRequest[]> {
    return (await world.requests()).slice(before)
  }

  /** The messages in the log, newest first. */
  async function log(): Promise<MessageEntry[]> {
    const page = await acme.get(`/api/v1/channels/${channel.id}/messages?limit=100`)
    return page.body.data.messages
  }

  /** The messages in the channel's events of a kind, oldest first. */
  async function eventsOf(kind: string): Promise<MessageEntry[]> {
    const rows = await world.hub.sql<{ body: Buffer }[]>`
      select body from events where channel_id = ${channel.id} and kind = ${kind} order by id`
    return rows.map(({ body }) => JSON.parse(body.toString()).data.message)
  }

  async function statusOfChannel(): Promise<string> {
    return (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status
  }

  /** Lets a test ask more in a second than a channel may. */
  async function liftLimit(): Promise<void> {
    const subject = `${acme.organizationId}:${channel.id}`
    await world.hub.sql`
      insert into rate_limits (bucket, subject, used, window_ends_at)
      values ('facade', ${subject}, -1000000, hub_now() + interval '1 day')
      on conflict (bucket, subject) do update set used = excluded.used, window_ends_at = excluded.window_ends_at`
  }

  const verbs = { asked, log, eventsOf, statusOfChannel, liftLimit }
  return { ...world, acme, channel, ...verbs, ...seenBy(world, channel) }
}

/** The same with a relay before the upstream, for answers that the simulator never gives. */
export async function startRelayedFacade(t: TestContext, options: Parameters<typeof startRelayed>[1] = {}) {
  const { acme, number, id, ...world } = await startRelayed(t, { ...options, env: { ...UNBILLED, ...options.env } })
  const { token } = await world.hub.channelToken(acme.organizationId, id, CHANNEL_TOKEN_SCOPES)
  const channel = { id, number, token }
  return { ...world, acme, channel, ...seenBy(world, channel) }
}

/** The facade as a channel sees it. */
export function seenBy({ hub }: { hub: TestHub }, { token, number }: { token: string; number: SeededNumber }) {
  return {
    client: hub.anonymous.with(bearer(token)),
    phone: `/upstream/${number.phoneNumberId}`,
    waba: `/upstream/${number.wabaId}`,
  }
}

/** Sends a form as a browser writes it. */
export function postForm(client: Client, path: string, parts: Part[]): Promise<Answer> {
  return client.send('POST', path, { raw: formOf(parts), headers: MULTIPART })
}

/** What an answer comes to, short enough to compare. */
export function told({ status, body }: Answer): [status: number, code: string] {
  return [status, body?.error?.code ?? 'ok']
}

export async function createTemplate({ client, waba }: Pick<Scene, 'client' | 'waba'>, name: string): Promise<string> {
  const made = await client.post(`${waba}/message_templates`, { ...TEMPLATE, name })
  assert.equal(made.status, 200, made.text)
  return made.body.id
}
