import type { Update } from '../graph/callbacks/callback.ts'
import type { WebhookPost } from '../graph/callbacks/webhooks.ts'
import { asObject } from '../json.ts'
import type { RequestRecord } from '../request-log.ts'
import type { Simulation } from '../simulation.ts'
import { type ControlRequest, type ControlRoute, route } from './context.ts'
import { ControlError, type Reader, requireFound } from './reader.ts'

const WAIT_MAX_MS = 60_000

export const WEBHOOK_ROUTES: readonly ControlRoute[] = [
  route('GET', '/webhooks', (parts, { query }) => ({ webhooks: matchingWebhooks(parts, query) })),
  route('POST', '/webhooks', async ({ graph }, { body }) => {
    const raw = body.text('body')
    if (raw === undefined) {
      graph.webhooks.emit(parseUpdate(body))
      return { emitted: true }
    }
    return graph.webhooks.post(raw, body.oneOf('signature', ['valid', 'wrong', 'none'], 'valid'))
  }),
  route('POST', '/webhooks/:id/redeliver', async ({ graph }, { params }) => {
    const post = requireFound(graph.webhooks.outbox.posts.get(params.id), 'webhook')
    if (post.state === 'withheld')
      throw new ControlError(400, 'A withheld webhook was sent to nobody, so there is nothing to send again.')
    await graph.webhooks.outbox.deliver(post)
    return post
  }),
  route('PUT', '/webhooks/policy', ({ graph }, { body }) => {
    const { batching, outbox } = graph.webhooks
    const { policy } = outbox
    const shuffle = body.flag('shuffle') ?? policy.order === 'shuffled'
    batching.batch = body.number('batch') ?? batching.batch
    batching.fold = body.flag('fold') ?? batching.fold
    policy.duplicates = body.number('duplicates') ?? policy.duplicates
    policy.order = shuffle ? 'shuffled' : 'kept'
    policy.retry = body.flag('retry') ?? policy.retry
    return { ...batching, duplicates: policy.duplicates, shuffle, retry: policy.retry }
  }),
  route('GET', '/wait', wait),
]

/** Responds as soon as enough items match, or after the timeout. */
async function wait(parts: Simulation, { query }: ControlRequest): Promise<object> {
  const count = Number(query.get('count') ?? 1)
  const timeoutMs = Math.min(Number(query.get('timeout_ms') ?? 10_000), WAIT_MAX_MS)
  const looks: Readonly<Record<string, () => object[] | undefined>> = {
    webhook: () => enough(matchingWebhooks(parts, query), count),
    request: () => enough(matchingRequests(parts, query), count),
    idle: () => (parts.graph.webhooks.outbox.isIdle() ? [] : undefined),
  }
  const look = looks[query.get('for') ?? 'webhook']
  if (!look) throw new ControlError(400, `for must be one of ${Object.keys(looks).join(', ')}`)
  const items = await parts.notifier.waitFor(look, timeoutMs)
  return { found: items !== undefined, items: items ?? [] }
}

function enough(items: object[], count: number): object[] | undefined {
  return items.length >= count ? items : undefined
}

/** The webhooks after a given one, of a field, in a state, or with a text in their payload. */
function matchingWebhooks({ graph }: Simulation, query: URLSearchParams): WebhookPost[] {
  const [after, field, state, text] = ['after', 'field', 'state', 'contains'].map((name) => query.get(name))
  const posts = [...graph.webhooks.outbox.posts.values()]
  return recordsAfter(posts, after)
    .filter((post) => !field || post.fields.includes(field))
    .filter((post) => !state || post.state === state)
    .filter((post) => !text || post.body.replaceAll('\\/', '/').includes(text))
}

function matchingRequests({ log }: Simulation, query: URLSearchParams): RequestRecord[] {
  const [after, method, path, text] = ['after', 'method', 'path', 'contains'].map((name) => query.get(name))
  return recordsAfter(log.list(), after)
    .filter((record) => !method || record.method === method)
    .filter((record) => !path || record.path.includes(path))
    .filter((record) => !text || JSON.stringify(record.params).includes(text))
}

function recordsAfter<T extends { id: string }>(records: T[], id: string | null | undefined): T[] {
  return id ? records.slice(records.findIndex((record) => record.id === id) + 1) : records
}

/** Any change, for fields without a route of their own. */
function parseUpdate(body: Reader): Update {
  const wabaId = body.text('waba_id')
  const phoneId = body.text('phone_number_id')
  return {
    entryId: body.text('entry_id') ?? wabaId ?? '0',
    field: body.required('field'),
    value: asObject(body.members.value),
    isTimed: body.flag('timed') ?? true,
    ...(wabaId === undefined ? {} : { wabaId }),
    ...(phoneId === undefined ? {} : { phoneId }),
  }
}
