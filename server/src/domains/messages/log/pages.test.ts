import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import type { MessageEntry } from '../schemas.ts'
import { type SendingFixture, startSending, text, toStatusAndCode } from '../test/fixture.ts'

type Page = { messages: MessageEntry[]; next_cursor: string | null }

async function readPage(who: Client, path: string, query: string, cursor: string | null): Promise<Page> {
  const answer = await who.get(`${path}?${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** Reads all pages, and calls `between` after each. */
async function readPages(who: Client, path: string, query: string, between: () => Promise<unknown> = async () => {}) {
  const pages: MessageEntry[][] = []
  let cursor: string | null = null
  do {
    const page: Page = await readPage(who, path, query, cursor)
    pages.push(page.messages)
    cursor = page.next_cursor
    await between()
  } while (cursor !== null)
  return pages
}

/** A channel without the rate limits of the hub and of the upstream. */
async function startUnlimited(t: Parameters<typeof startSending>[0]) {
  const fixture = await startSending(t)
  await fixture.up.simulator.control('PUT', '/limits', { enforced: false })
  await fixture.liftRateLimit()
  return fixture
}

async function sendMany({ send }: Pick<SendingFixture, 'send'>, count: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => send({ body: text(`no ${i}`) })))
  return answers.map(({ body }) => body.data.message.id)
}

test('a page has `limit` entries, 50 by default, and the last page has no cursor', {
  rules: ['api.success-is-one-data-member', 'message.log-is-newest-first', 'api.pages-have-a-cursor'],
}, async (t) => {
  const fixture = await startUnlimited(t)
  const { acme, path } = fixture
  await sendMany(fixture, 101)

  const sizes = async (query: string) => (await readPages(acme, path, query)).map(({ length }) => length)

  assert.deepEqual(await sizes(''), [50, 50, 1])
  assert.deepEqual(await sizes('limit=100'), [100, 1])
  assert.deepEqual(await sizes('limit=51'), [51, 50])
  assert.deepEqual((await readPage(acme, path, 'limit=1', null)).messages.length, 1)
})

test('a full last page has no cursor', async (t) => {
  const fixture = await startUnlimited(t)
  await sendMany(fixture, 4)

  const pages = await readPages(fixture.acme, fixture.path, 'limit=2')

  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2],
  )
})

test('pages that are read while messages are sent neither skip nor repeat earlier messages, newest first', {
  rules: ['message.log-is-newest-first', 'api.pages-have-a-cursor'],
}, async (t) => {
  const fixture = await startUnlimited(t)
  const { acme, path } = fixture
  const before = await sendMany(fixture, 60)
  const later: Promise<string[]>[] = []

  const pages = await readPages(acme, path, 'limit=7', async () => {
    // Some are sent before the next page is read, and some while it is read.
    later.push(sendMany(fixture, 5))
    await sendMany(fixture, 1)
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

test('filtered pages have all matching entries and no others', {
  rules: ['api.pages-have-a-cursor', 'message.filters-select-entries'],
}, async (t) => {
  const fixture = await startUnlimited(t)
  const { acme, path, fault } = fixture
  await sendMany(fixture, 6)
  await fault('error', '/messages', { code: 131009, times: 5 })
  await Promise.all(Array.from({ length: 5 }, () => fixture.send()))
  await sendMany(fixture, 6)

  const failed = await readPages(acme, path, 'limit=2&status=failed')
  const outbound = await readPages(acme, path, 'limit=5&direction=outbound&status=accepted')
  const ofAllStatuses = await readPages(acme, path, 'limit=5&direction=outbound')
  const unfiltered = await readPages(acme, path, 'limit=5')

  assert.deepEqual(
    failed.map((page) => page.map(({ status }) => status)),
    [['failed', 'failed'], ['failed', 'failed'], ['failed']],
  )
  assert.deepEqual(
    outbound.map((page) => page.length),
    [5, 5, 2],
  )
  assert.deepEqual(ofAllStatuses, unfiltered)
})

test('a message whose status changes between two pages keeps its position', async (t) => {
  const fixture = await startUnlimited(t)
  const { acme, path, wait } = fixture
  const ids = await sendMany(fixture, 6)

  const pages = await readPages(acme, path, 'limit=2', () => wait(1))

  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    ids.toSorted().reverse(),
  )
  assert.equal(pages.flat().at(-1)?.status, 'failed')
})

test('a cursor with another organization, channel or filter is 400', async (t) => {
  const fixture = await startUnlimited(t)
  const { hub, acme, connect, path } = fixture
  const [sibling, globex] = [await connect(acme), await hub.organization()]
  const foreign = await connect(globex)
  await sendMany(fixture, 3)
  const { next_cursor: cursor } = await readPage(acme, path, 'limit=1', null)
  const { next_cursor: filtered } = await readPage(acme, path, 'limit=1&direction=outbound', null)

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
    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'], address)
    assert.equal(answer.body.error.details.issues[0].path, '/cursor')
  }
  // The limit is not a filter, so it may differ between pages.
  assert.equal((await readPage(acme, path, 'limit=2', cursor)).messages.length, 2)
})

test('a cursor with one character changed, removed or added is 400', async (t) => {
  const fixture = await startUnlimited(t)
  const { acme, path } = fixture
  await sendMany(fixture, 2)
  const { next_cursor } = await readPage(acme, path, 'limit=1', null)
  const cursor = next_cursor!

  const altered = [...cursor].map((character, i) => {
    return cursor.slice(0, i) + (character === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
  })
  for (const wrong of [...altered, cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, 'x', '']) {
    assert.deepEqual(toStatusAndCode(await acme.get(`${path}?cursor=${wrong}`)), [400, 'INVALID_REQUEST'], wrong)
  }
  assert.equal((await readPage(acme, path, '', cursor)).messages.length, 1)
})

test('a cursor does not reveal message ids', async (t) => {
  const fixture = await startUnlimited(t)
  const ids = await sendMany(fixture, 2)

  const { next_cursor } = await readPage(fixture.acme, fixture.path, 'limit=1', null)

  const held = Buffer.from(next_cursor!, 'base64url').toString('latin1')
  for (const id of ids) assert.ok(!held.includes(id))
})

test('a page ends early where its messages are large, and the pages together have each message once', {
  rules: ['api.pages-have-a-cursor'],
}, async (t) => {
  const fixture = await startUnlimited(t)
  const { acme, path } = fixture
  const ids = await sendMany(fixture, 12)
  const large = JSON.stringify({ body: 'x'.repeat(1_000_000) })
  await fixture.hub.sql`update messages set content = ${large} where id = any(${ids.slice(2)})`

  const pages = await readPages(acme, path, 'limit=5')

  assert.ok(
    pages.every((page) => page.length > 0 && JSON.stringify(page).length < 5_300_000),
    pages.map(({ length }) => length).join(),
  )
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    ids.toSorted().toReversed(),
  )
})
