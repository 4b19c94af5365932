import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitForHeldRequests } from '../../../test/held-requests.ts'
import { bearer } from '../../../test/hub.ts'
import { openRawConnection } from '../../../test/raw-http.ts'
import { FILES } from '../media/test/files.ts'
import { buildPartHead, MULTIPART } from '../media/test/uploads.ts'
import { createChannelClient, postForm, startFacade, toStatusAndCode } from './test/fixture.ts'

const IN_FLIGHT_MAX = 64
const PDF = { bytes: FILES.pdf!.bytes, name: 'a.pdf' }

/** Two channels of two organizations with a file each, and another channel of the first organization. */
async function startTwoChannels(t: TestContext) {
  const fixture = await startFacade(t)
  const other = createChannelClient(fixture, await fixture.connect(await fixture.hub.organization()))
  const sister = createChannelClient(fixture, await fixture.connect(fixture.acme))
  const [own, theirs] = [
    await postForm(fixture.client, `${fixture.phone}/media`, [PDF]),
    await postForm(other.client, `${other.phone}/media`, [PDF]),
  ]
  await fixture.liftRateLimit()

  async function held(): Promise<number> {
    return (await fixture.up.simulator.control<{ held: number }>('GET', '/faults')).held
  }

  /** Starts as many downloads as a channel may have; the upstream answers none of them. */
  async function fillDownloads(path: string) {
    await fixture.fault('hang_before', '/whatsapp_business/attachments', { times: IN_FLIGHT_MAX })
    const leaving = new AbortController()
    const init = { headers: bearer(fixture.channel.token), signal: leaving.signal }
    const waiting = Array.from({ length: IN_FLIGHT_MAX }, () =>
      fetch(fixture.hub.url + path, init).catch(() => undefined),
    )
    while ((await held()) < IN_FLIGHT_MAX) await delay(5)
    return {
      async cancelAll(): Promise<void> {
        leaving.abort()
        await Promise.all(waiting)
        await waitForHeldRequests(fixture.up)
      },
    }
  }
  return { ...fixture, other, sister, ownId: own.body.id, theirId: theirs.body.id, fillDownloads }
}

test('an organization may have 64 downloads in flight; one more is 429 until one ends, and others are unaffected', {
  rules: ['media.transfers-are-limited'],
}, async (t) => {
  const { client, other, ownId, theirId, fillDownloads } = await startTwoChannels(t)
  const path = `/upstream/${ownId}/content`
  const { cancelAll } = await fillDownloads(path)

  const refused = await client.get(path)
  const theirs = await other.client.get(`/upstream/${theirId}/content`)
  const call = await client.get(`/upstream/${ownId}`)
  await cancelAll()
  let again = await client.get(path)
  while (again.status === 429) again = await client.get(path)

  assert.deepEqual(toStatusAndCode(refused), [429, 'RATE_LIMITED'])
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.deepEqual([theirs.status, call.status, again.status], [200, 200, 200])
})

/** A form whose file never ends. */
async function beginUpload(url: string, path: string, token: string) {
  const connection = await openRawConnection(url)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: hub',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${MULTIPART['content-type']}`,
    'Content-Length: 10000000',
    '\r\n',
  ]
  connection.write(head.join('\r\n'))
  connection.write(buildPartHead(PDF))
  connection.write(PDF.bytes)
  return connection
}

test('an organization may have 64 uploads in flight; one more is 429 until one ends, and others are unaffected', {
  rules: ['media.transfers-are-limited'],
}, async (t) => {
  const { hub, sister, client, channel, phone, other } = await startTwoChannels(t)
  const held = await Promise.all(
    Array.from({ length: IN_FLIGHT_MAX + 1 }, () => beginUpload(hub.url, `${phone}/media`, channel.token)),
  )

  // The hub refuses only the last of the 65, so its response means that 64 are in flight.
  const last = await Promise.race(held.map((connection) => connection.answer()))
  const refused = await postForm(sister.client, `${sister.phone}/media`, [PDF])
  const theirs = await postForm(other.client, `${other.phone}/media`, [PDF])
  const call = await client.get(phone)
  for (const connection of held) connection.hangUp()
  let again = await postForm(client, `${phone}/media`, [PDF])
  while (again.status === 429) again = await postForm(client, `${phone}/media`, [PDF])

  assert.deepEqual([last, refused].map(toStatusAndCode), [
    [429, 'RATE_LIMITED'],
    [429, 'RATE_LIMITED'],
  ])
  assert.deepEqual([theirs.status, call.status, again.status], [200, 200, 200])
})

test('finished downloads release their slots', async (t) => {
  const { client, ownId } = await startTwoChannels(t)

  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: IN_FLIGHT_MAX / 2 }, () => client.get(`/upstream/${ownId}/content`)),
    )
    assert.ok(answers.every(({ status }) => status === 200))
  }
})
