import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startBrowserFixture } from '../../../server/test/pages/browser.ts'
import type * as consoleEntry from '../../src/console.ts'

const SDK = join(import.meta.dirname, '../..')
const PERSON = { name: 'Ana', email: 'ana@example.com', password: 'correct horse battery', organization_name: 'Acme' }

/** Serves an empty page and the sources of the SDK from the hub's own origin, each file as a bundler would read it. */
async function serveSources(page: Page, origin: string): Promise<void> {
  await page.route(`${origin}/page`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
  await page.route(`${origin}/src/**`, async (route) => {
    const source = await readFile(join(SDK, new URL(route.request().url()).pathname), 'utf8')
    await route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) })
  })
  await page.goto(`${origin}/page`)
}

test('a page of the hub signs a person up and calls the API with the session alone', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { page } = await fixture.visit('/health')
  await serveSources(page, fixture.origin)

  const seen = await page.evaluate(async (person) => {
    const entry = '/src/console.ts'
    const { ConsoleHub }: typeof consoleEntry = await import(entry)
    const hub = new ConsoleHub({ url: '' })
    const before = await hub.console.showSession().catch((err) => err.code)
    await hub.console.signUp(person)
    const { channel } = await hub.channels.create({ name: 'Padaria' })
    const members = await hub.console.listMembers().toArray()
    const channels = await hub.channels.list().toArray()
    await hub.console.signOut()
    const after = await hub.channels
      .list()
      .toArray()
      .catch((err) => err.code)
    return { before, created: channel.id, members, channels, after }
  }, PERSON)

  assert.equal(seen.before, 'UNAUTHORIZED')
  assert.deepEqual(
    seen.members.map(({ email, role }) => [email, role]),
    [[PERSON.email, 'owner']],
  )
  assert.deepEqual(
    seen.channels.map(({ id }) => id),
    [seen.created],
  )
  assert.equal(seen.after, 'UNAUTHORIZED')
})
