import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { holdTransaction, waitUntilBlocked } from '../../../test/hub-with-upstream.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import { readEnvelope } from './envelope.ts'
import { statusOf, textMessage } from './test/samples.ts'
import { AT, type Change, type Channel, callbackOf, iso, saying, telling } from './test/scene.ts'
import { allTaken, startTwins } from './test/twins.ts'

type Twins = Awaited<ReturnType<typeof startTwins>>
type Update = { channel: Channel; change: Change }

const COUNT = 9
const MIDDLE = 4

function placeOf({ id, owner }: Channel) {
  return { organization: owner.organizationId, channel: id }
}

/** What two callbacks meet at: the updates of a turn, and what is held of the middle one until both have come. */
type Meeting = (twins: Twins) => Promise<{
  updates: (turn: number) => Update[]
  hold: (tx: Tx) => Promise<unknown>
  drop?: (tx: Tx) => Promise<unknown>
}>

function messagesOf({ channel }: Twins, value: (i: number) => object) {
  return (turn: number): Update[] =>
    Array.from({ length: COUNT }, (_, i) => ({ channel, change: saying(channel, { ...value(i), turn }).changes[0]! }))
}

const MEETINGS: Record<string, Meeting> = {
  async 'the same changes'({ channel }) {
    const updates = () => Array.from({ length: COUNT }, (_, value) => ({ channel, change: { field: 'f', value } }))
    const read = readEnvelope(Buffer.from(JSON.stringify(callbackOf(...updates().map(entryOf)))))
    const { fingerprint } = 'changes' in read ? read.changes[MIDDLE]! : assert.fail()
    const { organization, channel: id } = placeOf(channel)
    const hold = (tx: Tx) => tx`insert into seen_changes values (${organization}, ${id}, ${fingerprint})`
    return { updates, hold, drop: (tx) => tx`delete from seen_changes where fingerprint = ${fingerprint}` }
  },

  async 'the same new messages'(twins) {
    const { organization, channel } = placeOf(twins.channel)
    const wamid = `wamid.${MIDDLE}`
    const hold = (tx: Tx) => tx`insert into message_wamids values (${organization}, ${channel}, ${wamid}, ${channel})`
    const updates = messagesOf(twins, (i) => ({ messages: [textMessage(`wamid.${i}`)] }))
    return { updates, hold, drop: (tx) => tx`delete from message_wamids where message_id = ${channel}` }
  },

  async 'the same known messages'(twins) {
    const known = Array.from({ length: COUNT }, (_, i) => statusOf(`wamid.${i}`, 'sent'))
    await twins.say({ statuses: known })
    const hold = (tx: Tx) => tx`select 1 from messages where upstream_message_id = ${`wamid.${MIDDLE}`} for update`
    return { updates: messagesOf(twins, (i) => ({ statuses: [statusOf(`wamid.${i}`, 'read')] })), hold }
  },

  async 'the same files'(twins) {
    const { organization, channel } = placeOf(twins.channel)
    const hold = (tx: Tx) => tx`
      insert into channel_media (organization_id, channel_id, media_id)
      values (${organization}, ${channel}, ${`media ${MIDDLE}`})`
    const updates = (turn: number) =>
      messagesOf(twins, (i) => ({ messages: [textMessage(`${turn} ${i}`, { image: { id: `media ${i}` } })] }))(turn)
    return { updates, hold, drop: (tx) => tx`delete from channel_media where channel_id = ${channel}` }
  },

  async 'the same channels'(twins) {
    const { wabaId } = twins.channel.number
    const channels = [twins.channel, await twins.another({ wabaId }), await twins.another({ wabaId })]
    const hold = (tx: Tx) => tx`select 1 from channels where id = ${channels[1]!.id} for update`
    const updates = (turn: number) =>
      channels.map((channel) => {
        const value = { event: 'ACCOUNT_RESTRICTION', phone_number: channel.digits, turn }
        return { channel, change: { field: 'account_update', value } }
      })
    return { updates, hold }
  },
}

function entryOf({ channel, change }: Update) {
  return telling(channel, change.field, change.value)
}

/** Without one order for all, each callback would hold what the other waits for as soon as the middle is let go. */
for (const [what, meeting] of Object.entries(MEETINGS)) {
  test(`two callbacks about ${what}, one the other way round, are both taken`, async (t: TestContext) => {
    const twins = await startTwins(t)
    const { updates, hold, drop } = await meeting(twins)
    const held = await holdTransaction(twins.sql, hold, drop)

    const answers = twins.postAll([
      callbackOf(...updates(1).map(entryOf)),
      callbackOf(...updates(2).toReversed().map(entryOf)),
    ])
    await waitUntilBlocked(twins.sql, 2)
    await held.release()

    allTaken(await answers)
  })
}

test('statuses of one message that come at once all leave their mark', async (t) => {
  const twins = await startTwins(t)
  const { id, wamid } = await twins.send()
  const held = await holdTransaction(twins.sql, (tx) => tx`select 1 from messages where id = ${id} for update`)
  const statuses = ['sent', 'delivered', 'read', 'failed']

  const answers = twins.postAll(
    statuses.map((status, i) => {
      const told = statusOf(wamid, status, { timestamp: String(AT + i) })
      return callbackOf(saying(twins.channel, { statuses: [told] }))
    }),
  )
  await waitUntilBlocked(twins.sql, 2)
  await held.release()

  allTaken(await answers)
  const [line] = await twins.log()
  assert.deepEqual(
    [line?.status, line?.sent_at, line?.delivered_at, line?.read_at, line?.failed_at],
    ['read', iso(AT), iso(AT + 1), iso(AT + 2), iso(AT + 3)],
  )
})
