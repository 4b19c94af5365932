import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../test/client.ts'
import type { MessageEntry } from '../events/schemas.ts'
import { type Scene, startSending, text, told } from './test/scene.ts'

type Page = { messages: MessageEntry[]; next_cursor: string | null }

async function pageOf(who: Client, path: string, query: string, cursor: string | null): Promise<Page> {
  const answer = await who.get(`${path}?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** Every page from the first, and what happens after each. */
async function walk(who: Client, path: string, query: string, between: () => Promise<unknown> = async () => {}) {
  const pages: MessageEntry[][] = []
  let cursor: string | null = null
  do {
    const page: Page = await pageOf(who, path, query, cursor)
    pages.push(page.messages)
    cursor = page.next_cursor
    await between()
  } while (cursor !== null)
  return pages
}

/** Lets the channel send without the limits of either side. */
async function startUnlimited(t: Parameters<typeof startSending>[0]) {
  const scene = await startSending(t)
  await scene.up.simulator.control('PUT', '/limits', { enforced: false })
  await scene.liftLimit()
  return scene
}

async function sendMany({ send }: Pick<Scene, 'send'>, count: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => send({ body: text(`no ${i}`) })))
  return answers.map(({ body }) => body.data.message.id)
}

test('a page has as many entries as asked for, 50 unless told, and the last page has no cursor', {
  rules: ['D3-06', 'LIM-11', 'MSE-02', 'MSE-03', 'MSE-04'],
}, async (t) => {
  const scene = await startUnlimited(t)
  const { acme, path } = scene
  await sendMany(scene, 101)

  const sizes = async (query: string) => (await walk(acme, path, query)).map(({ length }) => length)

  assert.deepEqual(await sizes(''), [50, 50, 1])
  assert.deepEqual(await sizes('limit=100'), [100, 1])
  assert.deepEqual(await sizes('limit=51'), [51, 50])
  assert.deepEqual((await pageOf(acme, path, 'limit=1', null)).messages.length, 1)
})

test('a log that ends with a full page has no cursor to an empty one', async (t) => {
  const scene = await startUnlimited(t)
  await sendMany(scene, 4)

  const pages = await walk(scene.acme, scene.path, 'limit=2')

  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2],
  )
})

test('pages read while messages are sent neither skip nor repeat what was there before, in the order newest first', {
  rules: ['D7-14', 'MSE-04'],
}, async (t) => {
  const scene = await startUnlimited(t)
  const { acme, path } = scene
  const before = await sendMany(scene, 60)
  const later: Promise<string[]>[] = []

  const pages = await walk(acme, path, 'limit=7', async () => {
    // Some have arrived when the next page is read, and some are arriving.
    later.push(sendMany(scene, 5))
    await sendMany(scene, 1)
  })

  const seen = pages.flat().map(({ id }) => id)
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(seen, seen.toSorted().reverse())
  assert.deepEqual(
    seen.filter((id) => before.includes(id)),
    before.toSorted().reverse(),
  )
  const arrived = (await Promise.all(later)).flat()
  assert.equal(arrived.length, 5 * pages.length)
})

test('filtered pages lead through the filtered log, and no other entry is among them', {
  rules: ['MSE-04', 'MSE-06', 'MSE-08'],
}, async (t) => {
  const scene = await startUnlimited(t)
  const { acme, path, fault } = scene
  await sendMany(scene, 6)
  await fault('error', '/messages', { code: 131009, times: 5 })
  await Promise.all(Array.from({ length: 5 }, () => scene.send()))
  await sendMany(scene, 6)

  const failed = await walk(acme, path, 'limit=2&status=failed')
  const outbound = await walk(acme, path, 'limit=5&direction=outbound&status=accepted')

  assert.deepEqual(
    failed.map((page) => page.map(({ status }) => status)),
    [['failed', 'failed'], ['failed', 'failed'], ['failed']],
  )
  assert.deepEqual(
    outbound.map((page) => page.length),
    [5, 5, 2],
  )
})

test('a message that changes its status while somebody pages keeps its place', async (t) => {
  const scene = await startUnlimited(t)
  const { acme, path, wait } = scene
  const ids = await sendMany(scene, 6)

  const pages = await walk(acme, path, 'limit=2', () => wait(1))

  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    ids.toSorted().reverse(),
  )
  assert.equal(pages.flat().at(-1)?.status, 'failed')
})

test('a cursor belongs to its organization, channel and filters: elsewhere it is 400', async (t) => {
  const scene = await startUnlimited(t)
  const { hub, acme, connect, path } = scene
  const [sibling, globex] = [await connect(acme), await hub.organization()]
  const foreign = await connect(globex)
  await sendMany(scene, 3)
  const { next_cursor: cursor } = await pageOf(acme, path, 'limit=1', null)
  const { next_cursor: filtered } = await pageOf(acme, path, 'limit=1&direction=outbound', null)

  const wrong: [Client, string][] = [
    [acme, `/api/v1/channels/${sibling.id}/messages?cursor=${cursor}`],
    [globex, `/api/v1/channels/${foreign.id}/messages?cursor=${cursor}`],
    [acme, `${path}?direction=outbound&cursor=${cursor}`],
    [acme, `${path}?direction=inbound&cursor=${filtered}`],
    [acme, `${path}?status=accepted&cursor=${cursor}`],
    [acme, `${path}?direction=outbound&status=accepted&cursor=${filtered}`],
    [acme, `${path}?cursor=${filtered}`],
  ]

  for (const [who, address] of wrong) {
    const answer = await who.get(address)
    assert.deepEqual(told(answer), [400, 'INVALID_REQUEST'], address)
    assert.equal(answer.body.error.details.issues[0].path, '/cursor')
  }
  // The number of entries is not a filter: whoever pages may change it.
  assert.equal((await pageOf(acme, path, 'limit=2', cursor)).messages.length, 2)
})

test('a cursor with any one character altered, cut or added is 400', async (t) => {
  const scene = await startUnlimited(t)
  const { acme, path } = scene
  await sendMany(scene, 2)
  const { next_cursor } = await pageOf(acme, path, 'limit=1', null)
  const cursor = next_cursor!

  const altered = [...cursor].map((character, i) => {
    return cursor.slice(0, i) + (character === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
  })
  for (const wrong of [...altered, cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, 'x', '']) {
    assert.deepEqual(told(await acme.get(`${path}?cursor=${wrong}`)), [400, 'INVALID_REQUEST'], wrong)
  }
  assert.equal((await pageOf(acme, path, '', cursor)).messages.length, 1)
})

test('a cursor does not show the position that it holds', async (t) => {
  const scene = await startUnlimited(t)
  const ids = await sendMany(scene, 2)

  const { next_cursor } = await pageOf(scene.acme, scene.path, 'limit=1', null)

  const held = Buffer.from(next_cursor!, 'base64url').toString('latin1')
  for (const id of ids) assert.ok(!held.includes(id))
})
