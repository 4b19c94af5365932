import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../src/kernel/ids.ts'
import { assertNoProblems, searchPalette } from './browser.ts'
import { BRUNO, startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES
const SECRET = 'A senha do portão é 4471'

function rows(page: Page) {
  return page.locator('[data-row]')
}

test('a person finds a message and reveals its content with the keyboard, which the audit log records', async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, hub, origin } = fixture
  const id = await fixture.send(SECRET)
  await fixture.receive()
  const { page, seen } = await visitAs(fixture, ana, '/messages')

  await rows(page).nth(1).waitFor()
  assert.ok(!(await page.content()).includes(SECRET))
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Text to +55 11 95550-0199' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('open'), id)
  await assertNoBarriers(page, 'an open message')
  await page.getByRole('button', { name: 'Reveal' }).press('Enter')
  await page.getByText(SECRET).waitFor()
  const { entries } = (await acme.get('/api/v1/audit-log?action=message.revealed')).body.data
  assert.deepEqual(
    entries.map(({ target }: { target: { id: string } }) => target.id),
    [id],
  )
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Text to +55 11 95550-0199' }).waitFor({ state: 'detached' })
  assert.ok(!(await page.content()).includes(SECRET))

  for (const [typed, filter] of [
    ['bruno', 'name'],
    ['5550-0199', 'number_end'],
  ] as const) {
    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(typed)
    await page.waitForURL((url) => url.searchParams.has(filter))
    await rows(page).nth(1).waitFor()
    await page.keyboard.press('Escape')
  }

  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('+55 11 95550-0188')
  await page.getByRole('heading', { name: 'No messages match these filters' }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('person'), '5511955500188')
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await rows(page).nth(1).waitFor()

  await searchPalette(page, id)
  await page.getByRole('option', { name: 'Message with this id' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/messages?id=${id}&open=${id}`)
  await page.locator('table[aria-rowcount="2"]').waitFor()

  const other = await hub.person()
  const { page: foreign } = await visitAs(fixture, other, '/messages')
  await foreign.getByRole('heading', { name: 'No messages yet' }).waitFor()
  await foreign.goto(`${origin}/messages?open=${id}`)
  await foreign.getByText('The message could not be loaded').waitFor()
  assertNoProblems(fixture, seen)
})

test('a person filters the list, jumps to a date and shows names, which the audit log records', {
  rules: ['log.each-look-is-audited'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, id: channelId, hub, origin } = fixture
  await fixture.receive()
  await fixture.send('Confirmado')
  // The log is read back to a day before its organization.
  const yesterday = new Date(Date.now() - 86_400_000)
  const failed = newId(yesterday)
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content, created_at)
    values (${acme.organizationId}, ${channelId}, ${failed}, 'outbound', 'text', 'failed', '5511955500177', '{"body":"x"}',
      ${yesterday})`
  const { page, seen } = await visitAs(fixture, ana, '/messages', { viewport: { width: 1440, height: 900 } })

  await rows(page).nth(2).waitFor()
  assert.ok(!(await page.content()).includes(BRUNO.name))
  await page.getByRole('button', { name: 'Show names' }).click()
  await page.getByText(BRUNO.name).first().waitFor()
  assert.equal(await rows(page).getByText(BRUNO.name).count(), 2)
  await assertNoBarriers(page, 'names in the log')
  // Beside the number there is no room for it.
  await page.setViewportSize({ width: 1024, height: 768 })
  await rows(page).getByText(BRUNO.name).first().waitFor()
  await assertNoBarriers(page, 'names below the numbers')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/names-1024.png` })
  await page.setViewportSize({ width: 1440, height: 900 })
  const { entries } = (await acme.get('/api/v1/audit-log?action=messages.names_revealed')).body.data
  assert.deepEqual(
    entries.map(({ actor }: { actor: { id: string } }) => actor.id),
    [ana.userId],
  )
  await page.getByRole('button', { name: 'Hide names' }).click()
  await page.getByText(BRUNO.name).first().waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'failed' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'received' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Status 2 of 8' }).waitFor()
  await page.locator('table[aria-rowcount="3"]').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'received,failed')
  await page.getByRole('button', { name: 'Remove Status' }).click()
  await page.locator('table[aria-rowcount="4"]').waitFor()

  await page.getByRole('button', { name: 'Jump to a date' }).click()
  await page.getByLabel('Day').fill(yesterday.toLocaleDateString('sv', { timeZone: 'America/Sao_Paulo' }))
  await page.getByRole('button', { name: 'Jump', exact: true }).click()
  await page.locator('table[aria-rowcount="2"]').waitFor()
  await page.locator(`[data-row="${failed}"]`, { hasText: /\d\d:\d\d:\d\d/ }).waitFor()
  await page.goto(`${origin}/messages?status=lost&date=soon`)
  await page.locator('table[aria-rowcount="4"]').waitFor()
  assertNoProblems(fixture, seen)
})

test('new messages enter a list at rest, and wait while a person reads it', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive()
  const { page, seen } = await visitAs(fixture, fixture.ana, '/messages', { colorScheme: 'dark' })
  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.locator('[role=status]', { hasText: 'Ready' }).waitFor()
  await rows(page).first().waitFor()

  await fixture.receive()
  await rows(page).nth(1).waitFor()

  await rows(page).first().hover()
  await fixture.receive()
  await fixture.receive()
  await page.getByRole('button', { name: '2 new' }).waitFor()
  assert.equal(await rows(page).count(), 2)
  await assertNoBarriers(page, 'messages that wait')
  await page.getByRole('button', { name: '2 new' }).click()
  await rows(page).nth(3).waitFor()
  assert.equal(await page.getByRole('button', { name: 'new' }).count(), 0)

  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await fixture.receive()
  await page.getByRole('button', { name: 'Paused', exact: true }).click()
  await rows(page).nth(4).waitFor()

  const id = await fixture.send('Confirmado')
  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.locator(`[data-row="${id}"]`, { hasText: 'delivered' }).waitFor()
  assertNoProblems(fixture, seen)
})

test('the tail of one filter adds nothing to the list of the next', async (t) => {
  const fixture = await startConnected(t)
  await fixture.receive()
  const { page } = await visitAs(fixture, fixture.ana, '/messages?direction=inbound')
  await page.locator('[role=status]', { hasText: 'Ready' }).waitFor()
  await rows(page).first().waitFor()
  // The answer of the tail is on its way for as long as the test runs.
  await page.route(/messages\?.*direction=inbound/, () => undefined)
  const [look] = await Promise.all([page.waitForRequest(/messages\?.*direction=inbound/), fixture.receive()])

  const abandoned = page.waitForEvent('requestfailed', (request) => request === look)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Result unknown' }).click()

  await page.getByText('No messages match these filters').waitFor()
  await abandoned
})

test('a failed message is explained and sent again under a new key, and an unknown one is only checked', async (t) => {
  const fixture = await startConnected(t)
  const { acme, id: channelId, hub, origin } = fixture
  await fixture.fail(131047)
  const failed = await fixture.send('Confirmado')
  const unknown = newId()
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content)
    values (${acme.organizationId}, ${channelId}, ${unknown}, 'outbound', 'text', 'unknown', ${BRUNO.phone}, '{"body":"x"}')`
  const { page, seen } = await visitAs(fixture, fixture.ana, `/messages?open=${unknown}`)

  await page.getByText('Result unknown.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Send again…' }).count(), 0)
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('still unknown').waitFor()

  await page.goto(`${origin}/messages?date=30d&open=${failed}`)
  await page.getByText('Outside the 24 h window.').waitFor()
  await page.getByRole('button', { name: 'Send again…' }).click()
  const key = await page
    .getByRole('dialog')
    .getByText(/^again-[0-9a-f]{24}$/)
    .innerText()
  await page.getByRole('button', { name: 'Send to +55 11 95550-0199' }).click()
  await page.getByText('Accepted as a new message.').waitFor()
  const keys =
    await hub.sql`select key from message_keys where organization_id = ${acme.organizationId} and key = ${key}`
  assert.equal(keys.length, 1)
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForURL((url) => url.searchParams.get('open') !== failed)
  assert.equal(new URL(page.url()).searchParams.get('date'), '30d')
  await page.goto(`${origin}/messages`)

  await page.getByRole('button', { name: 'Export' }).first().click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Start the export' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  assert.equal(file.trimEnd().split('\r\n').length, 4)
  await page.getByText('The file is complete.').waitFor()
  assertNoProblems(fixture, seen)
})

test('a message to a person without a phone number is found and sent again by the user id', async (t) => {
  const fixture = await startConnected(t)
  const { acme, id: channelId, up } = fixture
  await up.simulator.control('PUT', `/contacts/${BRUNO.phone}`, { hides_phone: true, username: 'bruno' })
  await fixture.receive()
  const path = `/api/v1/channels/${channelId}`
  const userId = (await acme.get(`${path}/messages`)).body.data.messages[0].contact.user_id as string
  const message = { type: 'text', text: { body: 'Confirmado' } }
  const headers = { 'idempotency-key': newId() }
  const sent = await acme.post(`${path}/contacts/${userId}/messages`, message, { headers })
  assert.equal(sent.status, 202, sent.text)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/messages')

  await rows(page).nth(1).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(userId)
  await page.waitForURL((url) => url.searchParams.get('person') === userId)
  await page.locator(`[data-row="${sent.body.data.message.id}"]`, { hasText: userId }).click()
  await page.getByRole('button', { name: 'Send again…' }).click()
  await page.getByRole('button', { name: `Send to ${userId}` }).click()
  await page.getByText('Accepted as a new message.').waitFor()

  const { messages } = (await acme.get(`${path}/messages?direction=outbound&person=${userId}`)).body.data
  assert.equal(messages.length, 2)
  assertNoProblems(fixture, seen)
})

const [PAGES, PAGE_LENGTH] = [10, 10_000]
const SCROLL_TO_END = `(() => {
  const frame = document.querySelector('[data-scroll-frame]')
  frame.scrollTo(0, frame.scrollHeight)
})()`

function buildPage(number: number) {
  const created_at = new Date(1_790_000_000_000 - number * 1000).toISOString()
  return Array.from({ length: PAGE_LENGTH }, (_, position) => ({
    id: `${String(PAGES - number).padStart(8, '0')}-0000-7000-8000-${String(PAGE_LENGTH - position).padStart(12, '0')}`,
    channel_id: '00000000-0000-7000-8000-000000000000',
    direction: 'inbound',
    person: { phone: BRUNO.phone, user_id: null },
    type: 'text',
    template: null,
    status: 'received',
    upstream_message_id: null,
    created_at,
    updated_at: created_at,
    error: null,
  }))
}

test('a person marks a received message as read, which the customer sees', async (t) => {
  const fixture = await startConnected(t)
  const { ana, up } = fixture
  await fixture.receive()
  const { page, seen } = await visitAs(fixture, ana, '/messages')

  await rows(page).first().click()
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await page.getByText('Marked as read, with all earlier messages.').waitFor()

  const { requests } = await up.simulator.control<{ requests: { params?: { status?: string } }[] }>('GET', '/requests')
  assert.equal(requests.filter(({ params }) => params?.status === 'read').length, 1)
  await assertNoBarriers(page, 'a message that was read')
  assertNoProblems(fixture, seen)
})

test('a log of 100,000 rows has a bounded number of elements in the document', async (t) => {
  const fixture = await startConnected(t)
  const { page, seen } = await visitAs(fixture, fixture.ana, '/account')
  await page.route('**/console/messages?*', (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    const next_cursor = number + 1 < PAGES ? String(number + 1) : null
    return route.fulfill({ json: { data: { messages: buildPage(number), next_cursor } } })
  })
  await page.goto(`${fixture.origin}/messages`)

  const table = page.getByRole('table', { name: 'Messages' })
  for (let number = 1; number <= PAGES; number += 1) {
    await page.locator(`table[aria-rowcount="${number * PAGE_LENGTH + 1}"]`).waitFor()
    await page.evaluate(SCROLL_TO_END)
  }
  await page.locator(`[aria-rowindex="${PAGES * PAGE_LENGTH + 1}"]`).waitFor()

  assert.ok((await table.locator('tr').count()) < 100)
  assert.ok((await page.locator('*').count()) < 2500)
  assertNoProblems(fixture, seen)
})
