import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems } from './browser.ts'
import { startConnected } from './connected.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

/** The folder for pictures of the pages, for a person who looks at them. */
const PICTURES = process.env.PAGE_PICTURES

test('the page of a channel lists its links with their maker, and never their address', {
  rules: ['link.list-has-maker-expiry-and-state'],
}, async (t) => {
  const fixture = await startConnected(t)
  const { acme, ana, id } = fixture
  const { connect_url } = (await acme.post(`/api/v1/channels/${id}/connect-link`)).body.data
  const look = { viewport: { width: 1440, height: 900 } }
  const { page, seen } = await visitAs(fixture, ana, `/channels/${id}?tab=connect`, look)
  const links = page.getByRole('list', { name: 'Links of this channel' }).getByRole('listitem')

  await links.filter({ hasText: 'Created by test key' }).filter({ hasText: 'expires in' }).waitFor()
  assert.ok(!(await page.content()).includes(connect_url.split('/').at(-1)))
  await page.getByRole('button', { name: 'Create a link' }).click()
  await links.filter({ hasText: 'Created by Ana' }).filter({ hasText: 'open' }).waitFor()
  await links.filter({ hasText: 'Created by test key' }).filter({ hasText: 'replaced' }).first().waitFor()
  await assertNoBarriers(page, 'the links of a channel')
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/links.png`, fullPage: true })
  assertNoProblems(fixture, seen)
})
