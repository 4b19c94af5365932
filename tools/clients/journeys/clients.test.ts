import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { CLIENTS } from '../clients.ts'
import { createWorkshop, driveClient } from '../driving.ts'
import { runSnippet } from '../guide-snippets.ts'
import { openWorld } from '../world.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The clients that are dependencies, for tests only. `npm run test:clients` installs and drives the others too. */
const INSTALLED = ['@kapso/whatsapp-cloud-api', '@great-detail/whatsapp']
const TIMEOUT_MS = 290_000

test('clients of the Cloud API work with only their base URL and token changed', {
  rules: ['graph.serves-client-libraries'],
  timeout: TIMEOUT_MS,
}, async (t) => {
  await using opened = new AsyncDisposableStack()
  const { file } = await openWorld(opened, t.signal)
  // Below node_modules, where the drivers find the clients.
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await createWorkshop(opened, cache)

  for (const client of CLIENTS.filter(({ name }) => INSTALLED.includes(name))) {
    await t.test(client.name, async () => {
      const results = [...(await runSnippet(folder, client, file)), ...(await driveClient(folder, client, file))]

      const failed = results.filter(({ works }) => !works)
      assert.deepEqual(
        failed.filter(({ name }) => !client.cannot?.[name]),
        [],
      )
      assert.ok(results.length >= 40)
    })
  }
})
