import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { holdTransaction, waitUntilBlocked } from '../../../test/hub-with-upstream.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { toContactId } from '../messages/contacts/identify.ts'
import { readEnvelope } from './envelope.ts'
import {
  AT,
  buildCallback,
  buildEntry,
  buildMessagesEntry,
  type Change,
  type Channel,
  iso,
  startInbound,
} from './test/fixture.ts'
import { buildStatus, buildText } from './test/samples.ts'
import { assertAllAccepted, startTwoProcesses } from './test/two-processes.ts'

type TwoProcesses = Awaited<ReturnType<typeof startTwoProcesses>>
type Update = { channel: Channel; change: Change }

const COUNT = 9
const MIDDLE = 4

function toKey({ id, owner }: Channel) {
  return { organization: owner.organizationId, channel: id }
}

/** Two callbacks contend for their updates, and for a lock on the middle one that is held until both wait. */
type Contention = (fixture: TwoProcesses) => Promise<{
  updates: (round: number) => Update[]
  hold: (tx: Tx) => Promise<unknown>
  drop?: (tx: Tx) => Promise<unknown>
}>

function buildUpdates({ channel }: TwoProcesses, value: (i: number) => object) {
  return (round: number): Update[] =>
    Array.from({ length: COUNT }, (_, i) => ({
      channel,
      change: buildMessagesEntry(channel, { ...value(i), round }).changes[0]!,
    }))
}

const CONTENTIONS: Record<string, Contention> = {
  async 'the same changes'({ channel }) {
    const updates = () => Array.from({ length: COUNT }, (_, value) => ({ channel, change: { field: 'f', value } }))
    const read = readEnvelope(Buffer.from(JSON.stringify(buildCallback(...updates().map(toEntry)))))
    const { fingerprint } = 'changes' in read ? read.changes[MIDDLE]! : assert.fail()
    const { organization, channel: id } = toKey(channel)
    const hold = (tx: Tx) => tx`insert into seen_changes values (${organization}, ${id}, ${fingerprint})`
    return { updates, hold, drop: (tx) => tx`delete from seen_changes where fingerprint = ${fingerprint}` }
  },

  async 'the same new messages'(fixture) {
    const { organization, channel } = toKey(fixture.channel)
    const wamid = `wamid.${MIDDLE}`
    const hold = (tx: Tx) => tx`insert into message_wamids values (${organization}, ${channel}, ${wamid}, ${channel})`
    const updates = buildUpdates(fixture, (i) => ({ messages: [buildText(`wamid.${i}`)] }))
    return { updates, hold, drop: (tx) => tx`delete from message_wamids where message_id = ${channel}` }
  },

  async 'the same known messages'(fixture) {
    const known = Array.from({ length: COUNT }, (_, i) => buildStatus(`wamid.${i}`, 'sent'))
    await fixture.deliverMessages({ statuses: known })
    const hold = (tx: Tx) => tx`select 1 from messages where upstream_message_id = ${`wamid.${MIDDLE}`} for update`
    return { updates: buildUpdates(fixture, (i) => ({ statuses: [buildStatus(`wamid.${i}`, 'read')] })), hold }
  },

  async 'the same files'(fixture) {
    const { organization, channel } = toKey(fixture.channel)
    const hold = (tx: Tx) => tx`
      insert into channel_media (organization_id, channel_id, media_id)
      values (${organization}, ${channel}, ${`media ${MIDDLE}`})`
    const updates = (round: number) =>
      buildUpdates(fixture, (i) => ({ messages: [buildText(`${round} ${i}`, { image: { id: `media ${i}` } })] }))(round)
    return { updates, hold, drop: (tx) => tx`delete from channel_media where channel_id = ${channel}` }
  },

  async 'the same channels'(fixture) {
    const { wabaId } = fixture.channel.number
    const channels = [
      fixture.channel,
      await fixture.connectAnother({ wabaId }),
      await fixture.connectAnother({ wabaId }),
    ]
    const hold = (tx: Tx) => tx`select 1 from channels where id = ${channels[1]!.id} for update`
    const updates = (round: number) =>
      channels.map((channel) => {
        const value = { event: 'ACCOUNT_RESTRICTION', phone_number: channel.digits, round }
        return { channel, change: { field: 'account_update', value } }
      })
    return { updates, hold }
  },
}

function toEntry({ channel, change }: Update) {
  return buildEntry(channel, change.field, change.value)
}

/** Without a common lock order, each callback would wait for a row that the other has locked. */
for (const [what, contend] of Object.entries(CONTENTIONS)) {
  test(`two callbacks about ${what} in opposite order are both accepted`, async (t: TestContext) => {
    const fixture = await startTwoProcesses(t)
    const { updates, hold, drop } = await contend(fixture)
    const held = await holdTransaction(fixture.sql, hold, drop)

    const answers = fixture.postAll([
      buildCallback(...updates(1).map(toEntry)),
      buildCallback(...updates(2).toReversed().map(toEntry)),
    ])
    await waitUntilBlocked(fixture.sql, 2)
    await held.release()

    assertAllAccepted(await answers)
    assert.deepEqual(fixture.listRefused(), [])
  })
}

test('callbacks about the same people in opposite order are accepted', async (t) => {
  const fixture = await startInbound(t)
  const { channel, hub, sql } = fixture
  const { organization, channel: channelId } = toKey(channel)
  const toId = (user: string) => toContactId(organization, channelId, user)
  const [low = '', middle = '', high = ''] = ['BR.1', 'BR.2', 'BR.3'].sort((a, b) => (toId(a) < toId(b) ? -1 : 1))
  const receive = (callback: object) => {
    const bytes = Buffer.from(JSON.stringify(callback))
    return hub.context.inbound.receive(bytes, fixture.sign(bytes))
  }
  let messages = 0
  const write = (of: Record<string, string>) =>
    buildCallback(
      ...Object.entries(of).map(([user_id, name]) => {
        const { from: _, ...message } = buildText(`wamid.${messages++}`)
        const contacts = [{ profile: { name }, user_id }]
        return buildMessagesEntry(channel, { contacts, messages: [{ ...message, from_user_id: user_id }] })
      }),
    )
  await receive(write({ [low]: 'before' }))
  const held = await holdTransaction(
    sql,
    (tx) =>
      tx`insert into contacts (organization_id, channel_id, id) values (${organization}, ${channelId}, ${toId(middle)})`,
  )

  const received = [receive(write({ [high]: 'first', [middle]: 'first', [low]: 'first' }))]
  await waitUntilBlocked(sql, 1)
  // The first of them tells nothing new, and so locks nobody.
  received.push(...[{ [low]: 'before' }, { [high]: 'next' }, { [low]: 'next' }].map((of) => receive(write(of))))
  await waitUntilBlocked(sql, 2)
  await held.release()
  await Promise.all(received)

  const names = await sql`select user_id, name from contacts where channel_id = ${channelId} and user_id like 'BR.%'`
  const expected = { [low]: 'next', [middle]: 'first', [high]: 'next' }
  assert.deepEqual(Object.fromEntries(names.map(({ user_id, name }) => [user_id, name])), expected)
  assert.deepEqual(
    hub.logs.filter((line) => line.includes('a batch was refused')),
    [],
  )
})

test('a callback that deadlocks with a migration is stored by its next try', {
  rules: ['migration.deadlocked-callback-is-stored'],
}, async (t) => {
  const fixture = await startTwoProcesses(t)
  const migration = await holdTransaction(
    fixture.sql,
    async (tx) => {
      // So that the callback is the one that is rolled back.
      await tx`set local deadlock_timeout = '1 min'`
      await tx`lock table messages in access exclusive mode`
    },
    (tx) => tx`lock table seen_changes in access exclusive mode`,
  )

  const answers = fixture.postAll([
    buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.in')] })),
  ])
  await waitUntilBlocked(fixture.sql, 1)
  await migration.release()

  assertAllAccepted(await answers)
  assert.match(fixture.listRefused().join(), /40P01/)
  assert.equal((await fixture.log()).length, 1)
})

test('concurrent statuses of one message are all applied', async (t) => {
  const fixture = await startTwoProcesses(t)
  const { id, wamid } = await fixture.send()
  const held = await holdTransaction(fixture.sql, (tx) => tx`select 1 from messages where id = ${id} for update`)
  const statuses = ['sent', 'delivered', 'read', 'failed']

  const answers = fixture.postAll(
    statuses.map((status, i) => {
      const reported = buildStatus(wamid, status, { timestamp: String(AT + i) })
      return buildCallback(buildMessagesEntry(fixture.channel, { statuses: [reported] }))
    }),
  )
  await waitUntilBlocked(fixture.sql, 2)
  await held.release()

  assertAllAccepted(await answers)
  const [line] = await fixture.log()
  assert.deepEqual(
    [line?.status, line?.sent_at, line?.delivered_at, line?.read_at, line?.failed_at],
    ['read', iso(AT), iso(AT + 1), iso(AT + 2), null],
  )
})
