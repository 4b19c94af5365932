import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { bearer } from '../../../../test/hub.ts'
import { createSessionLock, PROCESS_LOCKS } from '../../../kernel/db/session-lock.ts'
import { newContact, newKey, startRelayedSending, startSecondHub, text } from '../test/fixture.ts'
import { listEarlierProcesses } from './store.ts'

const accepted = (wamid: string) => JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: wamid }] })

test('a send under way is in the log, under each filter that it matches', {
  rules: ['send.log-shows-it-under-way'],
}, async (t) => {
  const { hub, acme, channel, path, relay, send, newest } = await startRelayedSending(t)
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const consoleLog = `/console/messages?channel_id=${channel.id}`
  await send()
  const [to, key] = [newContact(), newKey()]
  const caught = relay.catch('/messages')
  const sending = send({ key, body: text('Under way', to) })
  const held = await caught
  const { id } = await newest()
  const find = async (url: string) => {
    const { status, body, text } = await owner.get(url)
    assert.equal(status, 200, text)
    return body.data.messages.map((message: { id: string }) => message.id).includes(id)
  }
  const [since, until] = [new Date(0).toISOString(), new Date(0).toISOString()]

  const { body } = await acme.get(`${path}/${id}`)
  const found: Record<string, boolean> = {}
  for (const query of [
    '',
    'direction=outbound',
    'status=sending',
    `person=${to}`,
    'type=text',
    `idempotency_key=${key}`,
    `since=${since}`,
  ])
    found[query] = await find(`${path}?${query}`)
  for (const query of ['', '&direction=outbound', '&status=sending', `&person=${to}`, '&type=text', `&id=${id}`])
    found[`console ${query}`] = await find(`${consoleLog}${query}`)
  const others: Record<string, boolean> = {}
  for (const query of [
    'direction=inbound',
    'status=accepted',
    'status=unknown',
    'type=image',
    `person=${newContact()}`,
    `until=${until}`,
  ])
    others[query] = await find(`${path}?${query}`)
  const shown = await owner.get(`/console/messages/${id}`)
  const revealed = await owner.post(`/console/messages/${id}/reveal`)
  const pages = [await acme.get(`${path}?limit=1`)]
  pages.push(await acme.get(`${path}?limit=1&cursor=${pages[0]?.body.data.next_cursor}`))
  held.answer(200, accepted('wamid.under-way'))
  await sending
  const after = await acme.get(`${path}/${id}`)

  const message = body.data.message
  assert.deepEqual([message.status, message.content, message.to], ['sending', { body: 'Under way' }, to])
  assert.deepEqual(new Set(Object.values(found)), new Set([true]), JSON.stringify(found))
  assert.deepEqual(new Set(Object.values(others)), new Set([false]), JSON.stringify(others))
  assert.equal(shown.body.data.message.status, 'sending')
  assert.deepEqual(revealed.body.data.content, { body: 'Under way' })
  assert.deepEqual(
    pages.map((page) => page.body.data.messages.map((entry: { status: string }) => entry.status)),
    [['sending'], ['accepted']],
  )
  const { created_at, content, status, from } = after.body.data.message
  assert.deepEqual([created_at, content, status, from], [message.created_at, message.content, 'accepted', message.from])
})

test('the log entry is written before the upstream call while a process of an earlier version lives', {
  rules: ['outcome.earlier-versions-find-sends'],
}, async (t) => {
  const { hub, up, acme, channel, relay, send, report, log, sent } = await startRelayedSending(t, { hasTimers: false })
  await hub.sql`delete from deferred_log_entries`
  const earlier = createSessionLock({ sql: hub.sql, spaces: [PROCESS_LOCKS] })
  t.after(() => earlier.stop())
  await earlier.start()
  while (earlier.readKey() === null) await delay(20)
  const second = await startSecondHub(t, up, { url: relay.url, hasTimers: false })
  const client = second.anonymous.with(bearer(acme.key))

  /** A send of the second hub: whether the log has a row of it before the answer, and what a status makes of it then. */
  async function sendHeld(wamid: string) {
    const key = newKey()
    const body = text()
    const caught = relay.catch('/messages')
    const sending = send({ key, body, as: client })
    const held = await caught
    const [entry] = await log('limit=1')
    const rows =
      await hub.sql`select status from messages where channel_id = ${channel.id} and id = ${entry?.id ?? null}`
    const isReported = wamid.endsWith('early')
    if (isReported) await report('delivered', { wamid, callbackData: entry?.id ?? '' }, second)
    held.answer(200, accepted(wamid))
    const { status } = await sending
    const replay = await send({ key, body })
    return [rows.length, status, replay.status, (await log('limit=1'))[0]?.status]
  }

  const before = [await sendHeld('wamid.a'), await sendHeld('wamid.b-early')]
  await earlier.stop()
  // The database notices a closed connection, and releases its locks, a moment later.
  while ((await listEarlierProcesses(hub.sql)).length > 0) await delay(20)
  await second.context.messages.deferLog()
  await second.clock.advance('29 seconds')
  await second.context.messages.deferLog()
  const meanwhile = await sendHeld('wamid.c')
  await second.clock.advance('1 second')
  await second.context.messages.deferLog()
  const after = [await sendHeld('wamid.d'), await sendHeld('wamid.e-early')]

  assert.deepEqual(before, [
    [1, 202, 202, 'accepted'],
    [1, 202, 202, 'delivered'],
  ])
  assert.deepEqual(meanwhile, [1, 202, 202, 'accepted'])
  assert.deepEqual(after, [
    [0, 202, 202, 'accepted'],
    [0, 202, 202, 'delivered'],
  ])
  assert.equal((await sent()).length, 5)
})

test('a send that was logged before the upstream call is marked unknown, and settled by a status', {
  rules: ['outcome.earlier-versions-find-sends'],
}, async (t) => {
  const { hub, up, acme, relay, send, report, log, sent } = await startRelayedSending(t, { hasTimers: false })
  await hub.sql`delete from deferred_log_entries`
  const second = await startSecondHub(t, up, { url: relay.url, hasTimers: false })
  const caught = relay.catch('/messages')
  const sending = send({ as: second.anonymous.with(bearer(acme.key)) })
  const held = await caught
  await hub.clock.advance('1 hour')

  await hub.context.messages.markExpiredUnknown()
  const [unknown] = await log()
  await report('sent', { wamid: 'wamid.late', callbackData: unknown?.id ?? '' })
  held.answer(200, accepted('wamid.late'))

  assert.equal((await sending).status, 202)
  assert.equal(unknown?.status, 'unknown')
  assert.deepEqual(
    (await log()).map(({ id, status }) => [id, status]),
    [[unknown?.id, 'sent']],
  )
  assert.equal((await sent()).length, 1)
})
