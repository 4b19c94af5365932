import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { newId } from '../../src/kernel/ids.ts'
import { assertNoProblems, type BrowserFixture, startBrowserFixture } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

const PHONE = '+55 11 97654-3210'

async function addMessages({ hub, acme }: BrowserFixture, count: number): Promise<void> {
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, sender, content)
    select ${acme.organizationId}, ${newId()}::uuid, hub_id(), 'inbound', 'text', 'received', '551176543210', '{"body":"oi"}'
    from generate_series(1, ${count})`
}

test('an owner exports everything, counts what an erasure would erase, and erases a person by the keyboard', async (t) => {
  const fixture = await startBrowserFixture(t)
  const { hub, acme } = fixture
  await addMessages(fixture, 3)
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { page, seen } = await visitAs(fixture, ana, '/')

  await page.getByRole('link', { name: 'Data and privacy' }).click()
  await page.getByRole('heading', { name: 'No erasures yet' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Start the export' }).press('Enter')
  const file = await readFile(await (await downloading).path(), 'utf8')
  await page.getByText('The file is complete.').waitFor()
  await page.getByRole('textbox', { name: 'Phone number' }).fill(PHONE)
  await page.keyboard.press('Enter')
  await page.getByText('Messages received').waitFor()
  await assertNoBarriers(page, 'a preview')
  const counted = await page.locator('dl').innerText()
  await page.getByRole('button', { name: 'Erase this person' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Erase this person?' })
  await assertNoBarriers(page, 'the confirmation')
  assert.ok(await dialog.getByRole('button', { name: 'Erase this person' }).isDisabled())
  await dialog.getByRole('textbox').fill(PHONE)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('starting').waitFor()
  await hub.clock.advance('1 minute')
  await hub.context.erasureWorker.runAll()
  const row = page.getByRole('row').filter({ hasText: '3 messages' })
  await row.getByText('done').waitFor()

  assert.match(file.trimEnd().split('\n').at(-1) ?? '', /^\{"type":"end","data":\{"complete":true,.*"message":3/)
  assert.match(counted, /Messages received\s+3/)
  assert.ok(!(await page.content()).includes('97654'))
  assert.ok(!page.url().includes('97654'))
  await assertNoBarriers(page, 'an erasure that is done')
  assertNoProblems(fixture, seen)
})

test('a viewer sees what the page does and why they cannot do it', async (t) => {
  const fixture = await startBrowserFixture(t)
  const viewer = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, viewer, '/privacy')

  const start = page.getByRole('button', { name: 'Start the export' })
  await start.waitFor()
  const count = page.getByRole('button', { name: 'Count what would be erased' })

  assert.ok((await start.isDisabled()) && (await count.isDisabled()))
  assert.equal(await page.getByText('needs the role Owner').count(), 1)
  await page.getByText('Seeing erasures needs the role Admin.').waitFor()
  await assertNoBarriers(page, 'the page of a viewer')
  assertNoProblems(fixture, seen)
})

test('in Portuguese an admin may erase by user id, not export, and sees why a request was refused', async (t) => {
  const fixture = await startBrowserFixture(t)
  const admin = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'admin' })
  const { page } = await visitAs(fixture, admin, '/privacy?by=user_id', { locale: 'pt-BR' })

  await page.getByRole('heading', { name: 'Dados e privacidade' }).waitFor()
  const exportButton = page.getByRole('button', { name: 'Iniciar a exportação' })
  await page.getByRole('textbox', { name: 'Id de usuário' }).fill('nada')
  await page.getByRole('button', { name: 'Contar o que seria eliminado' }).click()
  await page.getByText('INVALID_REQUEST').waitFor()
  await page.getByRole('textbox', { name: 'Id de usuário' }).fill('BR.1234')
  await page.keyboard.press('Enter')
  await page.getByText('Mensagens recebidas').waitFor()

  assert.ok(await exportButton.isDisabled())
  assert.equal(await page.getByText('INVALID_REQUEST').count(), 0)
  await assertNoBarriers(page, 'a preview in Portuguese')
})
