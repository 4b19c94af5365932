import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoProblems, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

test('an owner invites a person, changes a role, and removes a member after the name is typed', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { organizationId } = fixture.acme
  const ana = await fixture.hub.person({ organizationId, role: 'owner' })
  const bob = await fixture.hub.person({ organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/members')

  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('E-mail').fill('carla@example.com')
  await page.getByLabel(/^Admin/).check()
  await page.getByRole('button', { name: 'Create the invitation' }).click()
  const sheet = page.getByRole('dialog', { name: 'Invitation created for carla@example.com' })
  const link = await sheet.getByText(/\/join\//).innerText()
  await assertNoBarriers(page, 'a new invitation')
  await sheet.getByRole('checkbox').check()
  await sheet.getByRole('button', { name: 'Done' }).click()
  const invitations = page.getByRole('table', { name: 'Open invitations' })
  await invitations.getByText('carla@example.com').waitFor()
  assert.equal((await fixture.hub.anonymous.get(new URL(link).pathname)).status, 200)
  await invitations.getByRole('button', { name: 'Revoke the invitation of carla@example.com' }).click()
  await page.getByText('No open invitations.').waitFor()

  const row = page.getByRole('row').filter({ hasText: bob.email })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Change the role…' }).click()
  await page.getByLabel(/^Developer/).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Developer').waitFor()
  assert.equal((await bob.get('/console/session')).body.data.role, 'developer')
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('textbox')
    .fill((await dialog.getByRole('heading').innerText()).replace(/^Remove (.*)\?$/, '$1'))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await row.waitFor({ state: 'detached' })

  const members: { email: string }[] = (await ana.get('/console/members')).body.data.members
  assert.deepEqual(
    members.map(({ email }) => email),
    [ana.email],
  )
  assertNoProblems(fixture, seen)
})

test('a developer sees the members and the roles, and why only an admin invites', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { organizationId } = fixture.acme
  const ana = await fixture.hub.person({ organizationId, role: 'owner' })
  const developer = await fixture.hub.person({ organizationId, role: 'developer' })
  const { page, seen } = await visitAs(fixture, developer, '/members')

  await page.getByText(ana.email).waitFor()
  await page.getByText('needs the role Admin').waitFor()

  assert.ok(await page.getByRole('button', { name: 'Invite a person' }).isDisabled())
  assert.equal(await page.getByText('Open invitations').count(), 0)
  assertNoProblems(fixture, seen)
})
