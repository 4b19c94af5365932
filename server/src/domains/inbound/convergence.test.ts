import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { conversations, deliveriesOf, SENDS, type Told } from './test/conversations.ts'
import { type Channel, type Scene, startInbound } from './test/scene.ts'

const RUNS = 12

/** A channel of its own that has sent something, and what it is told of. */
async function startListener(scene: Scene) {
  const channel = await scene.another()
  const sends: string[] = []
  for (let i = 0; i < SENDS; i++) sends.push(await send(channel, `${i}`))
  async function hear(told: Told[]): Promise<void> {
    await scene.deliver(...told.map(({ entryFor }) => entryFor(channel, sends)))
  }
  return { channel, sends, hear }
}

async function send({ owner, id }: Channel, body: string): Promise<string> {
  const answer = await owner.post(
    `/api/v1/channels/${id}/messages`,
    { to: '5511987654321', type: 'text', text: { body } },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  assert.equal(answer.status, 202, answer.text)
  return answer.body.data.message.upstream_message_id
}

type Listener = Awaited<ReturnType<typeof startListener>>

/** What is left of it all, in words that are the same for every channel. */
async function outcomeOf(scene: Scene, { channel, sends }: Listener) {
  const own = new Map([
    [channel.digits, 'BUSINESS'],
    ...sends.map((wamid, i): [string, string] => [wamid, `sent ${i}`]),
  ])
  const named = (text: string | null) => (text === null ? null : (own.get(text) ?? text))
  const log = (await scene.log(channel)).map(({ id: _, channel_id, created_at, contact, ...line }) => ({
    ...line,
    ...{ from: named(line.from), to: named(line.to), upstream_message_id: named(line.upstream_message_id) },
    // The hub's own sends began at their own time, and learnt of the person from the answer.
    ...(sends.includes(line.upstream_message_id ?? '') ? {} : { created_at, contact }),
  }))
  const shown = (await channel.owner.get(`/api/v1/channels/${channel.id}`)).body.data.channel
  const recorded = [...(await scene.events(channel))].map(({ kind, body }) => ({
    kind,
    data: JSON.parse(`${body}`).data,
  }))
  const raws = (await scene.raws(channel)).map((raw) => JSON.parse(`${raw}`).entry[0].changes[0].value.told)
  return {
    log: log.map((line) => JSON.stringify(line)).sort(),
    state: [shown.status, shown.verified_name],
    messages: recorded
      .filter(({ kind }) => kind.startsWith('message.'))
      .map(({ kind, data }) => {
        return `${kind} ${named(data.message.upstream_message_id)} ${data.statuses_detail?.status ?? ''}`
      })
      .sort(),
    changes: [
      ...recorded.filter(({ data }) => data.change).map(({ kind, data }) => `${kind} ${data.change.told}`),
      ...raws,
    ].sort(),
    lastMove: recorded.findLast(({ kind }) => kind.startsWith('channel.'))?.data.channel.status,
  }
}

for (const [words, what] of [
  ['soft', 'ends in the same log, the same channel and the same events'],
  // What becomes of a change of the account depends on whether the channel is connected when it comes.
  ['hard', 'ends in the same log, the same channel and the same events of messages, even where it was disconnected'],
] as const) {
  test(`a conversation in any order, in any batches and with any repeats ${what}`, async (t) => {
    const scene = await startInbound(t)
    const cases = conversations(words).chain((told) => fc.tuple(fc.constant(told), deliveriesOf(told), fc.boolean()))

    await fc.assert(
      fc.asyncProperty(cases, async ([told, deliveries, isAtOnce]) => {
        const [orderly, disorderly] = [await startListener(scene), await startListener(scene)]
        for (const one of told) await orderly.hear([one])
        if (isAtOnce) await Promise.all(deliveries.map(disorderly.hear))
        else for (const some of deliveries) await disorderly.hear(some)

        const { lastMove, changes, ...expected } = await outcomeOf(scene, orderly)
        const { lastMove: lastSeen, changes: seen, ...outcome } = await outcomeOf(scene, disorderly)
        assert.deepEqual(outcome, expected)
        if (words === 'soft') assert.deepEqual(seen, changes)
        assert.deepEqual([lastMove, lastSeen], [expected.state[0], outcome.state[0]])
      }),
      { numRuns: RUNS },
    )
  })
}
