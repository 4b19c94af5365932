import { OPERATOR } from '../../server/src/domains/audit/initiator.ts'
import { SCOPES } from '../../server/src/domains/auth/scopes.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import { type BenchChannel, connectChannel, openHub, openOrganization } from '../bench-hub.ts'
import type { BenchmarkSetup } from '../benchmark.ts'
import { buildCallback, buildChange } from '../callbacks.ts'
import type { Post } from '../load-process.ts'
import type { SeededNumber } from '../simulated-upstream.ts'

/** With it, an event has about 1 KiB. */
const FILLING = 'x'.repeat(500)

/** A callback whose message has a marker, by which the receiver recognizes its event. */
export type Marked = { mark: string; post: Post }

/** One message in each callback, to the channels in rotation. `given` is the mark of a single one. */
export function buildMarked(channels: BenchChannel[], count: number, given?: string): Marked[] {
  return Array.from({ length: count }, (_, i) => {
    const { number } = channels[i % channels.length] as BenchChannel
    const mark = given ?? newId()
    return { mark, post: buildCallback(number, [buildChange(number, i, `${FILLING} mark:${mark}`)]) }
  })
}

/**
 * Channels of organizations of their own, each with one endpoint. `mark` is that of an event that is published already,
 * and waits for a hub that delivers it.
 */
export async function seedChannels(
  stand: Pick<BenchmarkSetup, 'sql' | 'keyRing'>,
  numbers: SeededNumber[],
  port: number,
  behaviors: readonly string[] = ['timed-empty'],
): Promise<{ channels: BenchChannel[]; mark: string }> {
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1/32:${port}` }
  const { context, stop } = await openHub(stand, undefined, { role: 'api', isDelivering: false, env })
  const channels: BenchChannel[] = []
  for (const [i, number] of numbers.entries()) {
    const owner = await openOrganization(context)
    const id = await connectChannel(context, owner.organizationId, number)
    await addEndpoint(context, owner.organizationId, `http://127.0.0.1:${port}/${behaviors[i % behaviors.length]}/${i}`)
    channels.push({ ...owner, id, number })
  }
  const mark = newId()
  const { organizationId = '', id: channelId = '' } = channels[0] ?? {}
  const event = { organizationId, channelId, kind: 'message.received' as const, data: { text: `mark:${mark}` } }
  await context.sql.begin((tx) => context.publish(tx, [event]))
  await stop()
  return { channels, mark }
}

/** Numbers of a hub that sends nothing: no upstream knows them. */
export function inventNumbers(count: number): SeededNumber[] {
  return Array.from({ length: count }, (_, i) => ({
    wabaId: String(210_000_000_000_000 + i),
    phoneNumberId: String(310_000_000_000_000 + i),
    accessToken: `EAApipeline${i}`,
    display: `+55 11 97000-${String(i).padStart(4, '0')}`,
  }))
}

type Context = Awaited<ReturnType<typeof openHub>>['context']

async function addEndpoint({ endpoints }: Context, organizationId: string, url: string): Promise<void> {
  const principal = { organizationId, scopes: SCOPES, initiator: OPERATOR, channelId: null, session: null }
  await endpoints.register(principal, {
    name: 'Bench',
    url,
    event_types: ['message.received'],
    payload_mode: 'normalized',
    delivery_format: 'native',
    media_urls: 'upstream',
    all_channels: true,
    channel_ids: [],
  })
}
