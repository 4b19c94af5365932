import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBrowserFixture } from './browser.ts'
import { visitAs } from './signed-in.ts'

test('a channel with a long name does not widen the list', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { acme, hub } = fixture
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await acme.post('/api/v1/channels', { name: 'x'.repeat(100) })

  for (const width of [390, 1024, 1440]) {
    const { page } = await visitAs(fixture, ana, '/channels', { viewport: { width, height: 900 } })
    await page.getByText('xxxxxxxxxx').first().waitFor()

    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    const table = page.getByRole('table').first()
    const inner = await table.evaluate((element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0))

    assert.ok(Number(overflow) <= 0, `${width} px: the page by ${overflow}`)
    assert.ok(Number(inner) <= 0, `${width} px: the table by ${inner}`)
  }
})
