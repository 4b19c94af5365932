import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, startHub } from '../../../test/hub.ts'
import { newId } from '../../kernel/ids.ts'
import { startSecondHub, startWebhooks } from '../webhooks/test/fixture.ts'
import { createHistory } from './history.ts'
import type { SentUpdate } from './schemas.ts'
import { openStream, requestStream } from './test/stream.ts'

test('signing out, revoking the session and the end of the membership each end its streams', {
  rules: ['live.ends-with-its-session'],
}, async (t) => {
  const { hub, receiver } = await startWebhooks(t)
  const other = await startSecondHub(t, receiver)
  const owner = await hub.person()
  const { organizationId } = owner
  const join = () => hub.person({ organizationId, role: 'admin' })
  const [first, second, third] = [await join(), await join(), await join()]
  const streams = await Promise.all([first, second, third].map((person) => openStream(t, other.url, person)))

  await first.post('/console/sign-out')
  await second.delete(`/console/sessions/${(await second.get('/console/sessions')).body.data.sessions[0].id}`)
  await owner.delete(`/console/members/${third.userId}`)

  for (const stream of streams) await stream.end()
  assert.equal((await requestStream(other.url, first)).status, 401)
})

test('a new password ends the streams of the other sessions', { rules: ['live.ends-with-its-session'] }, async (t) => {
  const { hub } = await startWebhooks(t)
  const ana = await hub.person()
  const signedIn = await hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const stream = await openStream(t, hub.url, { ...ana, cookie })

  const body = { current_password: PASSWORD, new_password: 'a new correct horse battery' }
  const changed = await ana.put('/console/password', body)

  assert.equal(changed.status, 200, changed.text)
  await stream.end()
})

test('a hub that stops ends its streams, and their clients go on at another one', {
  rules: ['live.ends-with-the-hub'],
}, async (t) => {
  const { hub, receiver, acme, endpoint, publish } = await startWebhooks(t)
  const other = await startSecondHub(t, receiver)
  await endpoint()
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const beside = await openStream(t, other.url, ana)
  const stream = await openStream(t, hub.url, ana)
  await publish({ kind: 'phone.quality' })
  const last = await stream.find('delivery.created')
  await beside.find('delivery.created')

  await Promise.all([hub.stop(), stream.end()])
  const channel = await other.anonymous
    .with({ authorization: `Bearer ${acme.key}` })
    .post('/api/v1/channels', { name: 'Padaria' })
  await beside.find('channel.updated')
  const resumed = await openStream(t, other.url, ana, { lastEventId: last.id })

  assert.equal((await resumed.find('channel.updated')).channel_id, channel.body.data.channel.id)
})

test('a client that comes back with its last id gets what it missed, and ten seconds before it', {
  rules: ['live.resumes-ten-seconds-earlier'],
}, async (t) => {
  const { hub, acme } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const create = async () => (await acme.post('/api/v1/channels', { name: 'Padaria' })).body.data.channel.id as string
  const stream = await openStream(t, hub.url, ana)
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    ids.push(await create())
    await stream.find('channel.updated')
    await hub.clock.advance('20 seconds')
  }
  ids.push(await create())
  const last = await stream.find('channel.updated')
  stream.hangUp()
  const witness = await openStream(t, hub.url, ana)
  ids.push(await create())
  await witness.find('channel.updated')

  const resumed = await openStream(t, hub.url, ana, { lastEventId: last.id })

  const got = [(await resumed.next()).channel_id, (await resumed.next()).channel_id]
  assert.deepEqual(got, ids.slice(2))
})

test('a client that comes back with an id that is not known any more gets one reload', {
  rules: ['live.gap-sends-a-reload'],
}, async (t) => {
  const { hub } = await startWebhooks(t)
  const ana = await hub.person()

  const stream = await openStream(t, hub.url, ana, { lastEventId: newId(new Date(0)) })
  const first = await stream.next()
  const channel = await ana.post('/api/v1/channels', { name: 'Padaria' })
  const second = await stream.next()

  assert.deepEqual([first.kind, Object.keys(first).sort()], ['reload', ['id', 'kind']])
  assert.equal(second.channel_id, channel.body.data.channel.id)
  const malformed = await requestStream(hub.url, ana, { lastEventId: 'nothing' })
  assert.equal(malformed.status, 400)
})

test('more changes at once than a dashboard reads one by one are one reload', {
  rules: ['live.gap-sends-a-reload'],
}, async (t) => {
  const { hub, acme, endpoint, publishMany } = await startWebhooks(t)
  await endpoint({ event_types: ['account.update'] })
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, hub.url, ana)

  await publishMany(150)
  const first = await stream.next()
  const channel = await acme.post('/api/v1/channels', { name: 'Padaria' })
  const second = await stream.next()

  assert.deepEqual([first.kind, second.channel_id], ['reload', channel.body.data.channel.id])
})

test('a stream that falls behind what is kept finds nothing at its position', {
  rules: ['live.gap-sends-a-reload'],
}, () => {
  const history = createHistory(0)
  const add = (count: number) =>
    history.add(Array.from({ length: count }, (): SentUpdate => ({ kind: 'reload', id: newId() })))
  add(10)
  const position = history.getEnd()
  add(400)
  assert.equal(history.read(position)?.length, 400)

  for (let i = 0; i < 5; i++) add(400)

  assert.equal(history.read(position), undefined)
  assert.deepEqual(history.read(history.getEnd()), [])
})

test('a stream whose process lost its connection to the database gets a reload', {
  rules: ['live.gap-sends-a-reload'],
}, async (t) => {
  const { hub, acme } = await startWebhooks(t)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const stream = await openStream(t, hub.url, ana)

  await hub.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen %'`
  const first = await stream.next()
  const channel = await acme.post('/api/v1/channels', { name: 'Padaria' })

  assert.equal(first.kind, 'reload')
  assert.equal((await stream.next()).channel_id, channel.body.data.channel.id)
})

test('nothing is sent between processes while no stream is open', {
  rules: ['live.costs-nothing-unwatched'],
}, async (t) => {
  const { hub, acme, endpoint, publishMany } = await startWebhooks(t, { isOwn: true })
  const notified: string[] = []
  const { unlisten } = await hub.sql.listen('hubline_live_updates', (text) => notified.push(text))
  t.after(unlisten)
  await endpoint()

  await publishMany(3)
  await hub.deliver()
  await hub.context.liveUpdates[Symbol.asyncDispose]()
  // Notifications arrive in the order of their commits.
  const { promise, resolve } = Promise.withResolvers<string>()
  await hub.sql.listen('hubline_live_updates', resolve)
  await hub.sql.notify('hubline_live_updates', JSON.stringify({ organizationId: acme.organizationId, updates: [] }))

  await promise
  assert.equal(notified.length, 1)
})

test('a killed process leaves streams that expire', { rules: ['live.session-has-three-streams'] }, async (t) => {
  const { hub } = await startWebhooks(t)
  const ana = await hub.person()
  const [session] = await hub.sql<{ id: string }[]>`select id from sessions where user_id = ${ana.userId}`
  const { organizationId } = ana
  await hub.sql`
    insert into live_update_streams (organization_id, id, session_id, expires_at)
    select ${organizationId}, hub_id(), ${session!.id}, hub_now() + interval '75 seconds' from generate_series(1, 3)`
  const refused = await requestStream(hub.url, ana)

  await hub.clock.advance('76 seconds')
  const stream = await openStream(t, hub.url, ana)
  stream.hangUp()
  await hub.runJobs()

  assert.equal(refused.status, 403)
  while ((await hub.sql`select 1 from live_update_streams where organization_id = ${organizationId}`).length > 0);
})

test('a client that leaves before its stream is open leaves none behind', {
  rules: ['live.session-has-three-streams'],
}, async (t) => {
  const hub = await startHub(t, { isOwn: true })
  const ana = await hub.person()
  const [leave, opened] = [new AbortController(), Promise.withResolvers<void>()]
  const { unlisten } = await hub.sql.listen('hubline_live_updates', (text) => {
    if (text.includes(ana.organizationId)) opened.resolve()
  })

  await hub.sql.begin(async (tx) => {
    // It keeps the hub from finding the session.
    await tx`lock table sessions in access exclusive mode`
    const opening = assert.rejects(requestStream(hub.url, ana, {}, leave.signal))
    const waiting = () => tx`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await waiting()).length === 0);
    leave.abort()
    await opening
    // The hub has noticed it by then.
    await hub.anonymous.get('/health')
  })
  await opened.promise
  await unlisten()

  assert.match((await hub.anonymous.get('/metrics')).text, /^hubline_live_update_streams 0$/m)
  while ((await hub.sql`select 1 from live_update_streams where organization_id = ${ana.organizationId}`).length > 0);
})
