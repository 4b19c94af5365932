import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrangeDeliveries, conversations, SENDS, type Update } from './test/conversations.ts'
import { type Channel, type InboundFixture, startInbound } from './test/fixture.ts'

const RUNS = 12

/** A new channel with sends of its own, and deliveries of updates to it. */
async function startRecipient(fixture: InboundFixture) {
  const channel = await fixture.connectAnother()
  const sends: string[] = []
  for (let i = 0; i < SENDS; i++) sends.push(await send(channel, `${i}`))
  async function deliver(updates: Update[]): Promise<void> {
    await fixture.deliver(...updates.map(({ entryFor }) => entryFor(channel, sends)))
  }
  return { channel, sends, deliver }
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

type Recipient = Awaited<ReturnType<typeof startRecipient>>

/** The final state of a channel, without ids that differ between channels. */
async function readOutcome(fixture: InboundFixture, { channel, sends }: Recipient) {
  const own = new Map([
    [channel.digits, 'BUSINESS'],
    ...sends.map((wamid, i): [string, string] => [wamid, `sent ${i}`]),
  ])
  const named = (text: string | null) => (text === null ? null : (own.get(text) ?? text))
  const log = (await fixture.log(channel)).map(({ id: _, channel_id, created_at, contact, ...line }) => ({
    ...line,
    from: named(line.from),
    to: named(line.to),
    upstream_message_id: named(line.upstream_message_id),
    // The hub's own sends have their own times, and the contact of the upstream's response.
    ...(sends.includes(line.upstream_message_id ?? '') ? {} : { created_at, contact }),
  }))
  const shown = (await channel.owner.get(`/api/v1/channels/${channel.id}`)).body.data.channel
  const recorded = [...(await fixture.events(channel))].map(({ kind, body }) => ({
    kind,
    data: JSON.parse(`${body}`).data,
  }))
  const raws = (await fixture.rawEvents(channel)).map((raw) => JSON.parse(`${raw}`).entry[0].changes[0].value.update)
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
      ...recorded.filter(({ data }) => data.change).map(({ kind, data }) => `${kind} ${data.change.update}`),
      ...raws,
    ].sort(),
    lastMove: recorded.findLast(({ kind }) => kind.startsWith('channel.'))?.data.channel.status,
  }
}

for (const [signals, what] of [
  ['soft', 'ends with the same log, channel and events'],
  // A change of the account is published only if the channel is connected when it arrives.
  ['hard', 'ends with the same log, channel and message events, even if the channel was disconnected'],
] as const) {
  test(`a conversation in any order, in any batches and with any repeats ${what}`, async (t) => {
    const fixture = await startInbound(t)
    const cases = conversations(signals).chain((updates) =>
      fc.tuple(fc.constant(updates), arrangeDeliveries(updates), fc.boolean()),
    )

    await fc.assert(
      fc.asyncProperty(cases, async ([updates, deliveries, isConcurrent]) => {
        const [ordered, disordered] = [await startRecipient(fixture), await startRecipient(fixture)]
        for (const update of updates) await ordered.deliver([update])
        if (isConcurrent) await Promise.all(deliveries.map(disordered.deliver))
        else for (const some of deliveries) await disordered.deliver(some)

        const { lastMove, changes, ...expected } = await readOutcome(fixture, ordered)
        const { lastMove: lastSeen, changes: seen, ...outcome } = await readOutcome(fixture, disordered)
        assert.deepEqual(outcome, expected)
        if (signals === 'soft') assert.deepEqual(seen, changes)
        assert.deepEqual([lastMove, lastSeen], [expected.state[0], outcome.state[0]])
      }),
      { numRuns: RUNS },
    )
  })
}
