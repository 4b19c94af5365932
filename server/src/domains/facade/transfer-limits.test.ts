import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { bearer } from '../../../test/hub.ts'
import { untilLetGo } from '../../../test/let-go.ts'
import { dial } from '../../../test/wire.ts'
import { FILES } from '../media/test/files.ts'
import { headOf, MULTIPART } from '../media/test/uploads.ts'
import { postForm, seenBy, startFacade, told } from './test/scene.ts'

const AT_ONCE_MAX = 64
const PDF = { bytes: FILES.pdf!.bytes, name: 'a.pdf' }

/** Two channels with a file each, and requests of the first that the upstream never answers. */
async function startCrowd(t: TestContext) {
  const world = await startFacade(t)
  const other = await world.connect(world.acme)
  const beside = seenBy(world, other)
  const [own, theirs] = [
    await postForm(world.client, `${world.phone}/media`, [PDF]),
    await postForm(beside.client, `${beside.phone}/media`, [PDF]),
  ]
  await world.liftLimit()

  async function held(): Promise<number> {
    return (await world.up.simulator.control<{ held: number }>('GET', '/faults')).held
  }

  /** As many downloads as there may be, all of them with the upstream. */
  async function crowd(path: string) {
    await world.fault('hang_before', '/whatsapp_business/attachments', { times: AT_ONCE_MAX })
    const leaving = new AbortController()
    const init = { headers: bearer(world.channel.token), signal: leaving.signal }
    const waiting = Array.from({ length: AT_ONCE_MAX }, () => fetch(world.hub.url + path, init).catch(() => undefined))
    while ((await held()) < AT_ONCE_MAX) await setImmediate()
    return {
      async disperse(): Promise<void> {
        leaving.abort()
        await Promise.all(waiting)
        await untilLetGo(world.up)
      },
    }
  }
  return { ...world, beside, ownId: own.body.id, theirId: theirs.body.id, crowd }
}

test('a channel may have 64 downloads under way; another is 429 until one has ended, and other channels go on', async (t) => {
  const { client, beside, ownId, theirId, crowd } = await startCrowd(t)
  const path = `/upstream/${ownId}/content`
  const { disperse } = await crowd(path)

  const refused = await client.get(path)
  const theirs = await beside.client.get(`/upstream/${theirId}/content`)
  const call = await client.get(`/upstream/${ownId}`)
  await disperse()
  let again = await client.get(path)
  while (again.status === 429) again = await client.get(path)

  assert.deepEqual(told(refused), [429, 'RATE_LIMITED'])
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.deepEqual([theirs.status, call.status, again.status], [200, 200, 200])
})

/** A form whose file never ends. */
async function beginUpload(url: string, path: string, token: string) {
  const connection = await dial(url)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: hub',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${MULTIPART['content-type']}`,
    'Content-Length: 10000000',
    '\r\n',
  ]
  connection.write(head.join('\r\n'))
  connection.write(headOf(PDF))
  connection.write(PDF.bytes)
  return connection
}

test('a channel may have 64 uploads under way; another is 429 until one has ended, and other channels go on', async (t) => {
  const { hub, client, channel, phone, beside } = await startCrowd(t)
  const held = await Promise.all(
    Array.from({ length: AT_ONCE_MAX + 1 }, () => beginUpload(hub.url, `${phone}/media`, channel.token)),
  )

  // Whichever comes last is answered at once; then all others are known to be under way.
  const last = await Promise.race(held.map((connection) => connection.answer()))
  const refused = await postForm(client, `${phone}/media`, [PDF])
  const theirs = await postForm(beside.client, `${beside.phone}/media`, [PDF])
  const call = await client.get(phone)
  for (const connection of held) connection.hangUp()
  let again = await postForm(client, `${phone}/media`, [PDF])
  while (again.status === 429) again = await postForm(client, `${phone}/media`, [PDF])

  assert.deepEqual([last, refused].map(told), [
    [429, 'RATE_LIMITED'],
    [429, 'RATE_LIMITED'],
  ])
  assert.deepEqual([theirs.status, call.status, again.status], [200, 200, 200])
})

test('downloads that came to their end leave their places to others', async (t) => {
  const { client, ownId } = await startCrowd(t)

  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE_MAX / 2 }, () => client.get(`/upstream/${ownId}/content`)),
    )
    assert.ok(answers.every(({ status }) => status === 200))
  }
})
