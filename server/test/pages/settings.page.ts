import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { PASSWORD } from '../hub.ts'
import { buildPng } from '../images.ts'
import { assertNoProblems, type BrowserFixture, startBrowserFixture, untilTrue } from './browser.ts'
import { assertNoBarriers, visitAs } from './signed-in.ts'

type Owner = Awaited<ReturnType<BrowserFixture['hub']['person']>>

async function readSettings(owner: Owner) {
  return (await owner.get(`/console/organizations/${owner.organizationId}/settings`)).body.data.settings
}

async function startOwned(t: Parameters<typeof startBrowserFixture>[0]) {
  const fixture = await startBrowserFixture(t)
  const ana = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'owner' })
  return { fixture, ana }
}

/** A client whose writes come from the address of the browser's hub. */
function toClient({ hub, origin }: BrowserFixture, { cookie }: Owner) {
  return hub.anonymous.with({ cookie, origin })
}

async function enableTotp(fixture: BrowserFixture, owner: Owner): Promise<void> {
  const { hub } = fixture
  const person = toClient(fixture, owner)
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  const code = new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
  assert.equal((await person.post('/console/totp/confirm', { code })).status, 200)
}

test('an owner changes the general settings by the keyboard, and an unsaved change is not left by mistake', async (t) => {
  const { fixture, ana } = await startOwned(t)
  const { page, seen } = await visitAs(fixture, ana, '/settings')
  const save = page.getByRole('button', { name: 'Save changes' })

  await page.getByLabel('Name').focus()
  assert.ok(await save.isDisabled())
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Padaria Bella')
  await page.getByText('Unsaved changes').waitFor()
  await page.getByLabel('Time zone').selectOption('America/Sao_Paulo')
  await assertNoBarriers(page, 'unsaved settings')
  await page.getByRole('link', { name: 'Members' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/settings')
  await page.getByLabel('Name').press('Enter')
  await page.getByText('Settings saved.').waitFor()

  await page.getByText('Padaria Bella').first().waitFor()
  assert.ok(await save.isDisabled())
  const { name, time_zone, language } = await readSettings(ana)
  assert.deepEqual([name, time_zone, language], ['Padaria Bella', 'America/Sao_Paulo', 'en'])
  await page.getByRole('link', { name: 'Members' }).first().click()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  assertNoProblems(fixture, seen)
})

test('an owner chooses a logo and a color of the connect page, and learns that a light color is not used', {
  rules: ['connect.page-has-a-readable-color'],
}, async (t) => {
  const { fixture, ana } = await startOwned(t)
  const { page, seen } = await visitAs(fixture, ana, '/settings')
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel(/Choose an image|Replace/).setInputFiles({ name, mimeType, buffer })

  await choose('logo.png', 'image/png', Buffer.from('<svg/>'))
  await page.getByText('Send a PNG, JPEG or WebP image').waitFor()
  await choose('logo.png', 'image/png', buildPng(60, 40))
  await page.getByRole('img', { name: /^Logo of/ }).waitFor()
  await untilTrue(page, "document.querySelector('main img')?.naturalWidth === 60")
  await page.getByLabel('Color').fill('#ffcc00')
  await page.getByRole('button', { name: 'Save color' }).click()
  await page.getByText('has a contrast of 1.51:1').waitFor()
  await assertNoBarriers(page, 'a logo and a color')
  await page.getByRole('button', { name: 'Use the color of the hub' }).click()
  await page.getByText('Color of the hub', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Choose an image').waitFor()

  const { color, logo } = await readSettings(ana)
  assert.deepEqual([color, logo], [null, null])
  assertNoProblems(fixture, seen)
})

test('a viewer reads the settings, and each button says who may use it', async (t) => {
  const { fixture, ana } = await startOwned(t)
  const { organizationId } = ana
  const viewer = await fixture.hub.person({ organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, viewer, '/settings', { locale: 'pt-BR' })

  await page.getByRole('heading', { name: 'Configurações', level: 1 }).waitFor()
  await page.getByText('90 dias').waitFor()
  await page.getByText('2 membros ainda não a ativaram.').waitFor()

  for (const name of ['Salvar alterações', 'Exigir verificação em duas etapas', 'Excluir a organização…']) {
    assert.ok(await page.getByRole('button', { name }).isDisabled(), name)
  }
  assert.ok(await page.getByLabel('Nome').isDisabled())
  await page.getByText('requer o papel Administração').first().waitFor()
  assert.equal(await page.getByText('requer o papel Titular').count(), 2)
  await assertNoBarriers(page, 'the settings of a viewer')
  assertNoProblems(fixture, seen)
})

test('a required second factor leads a member to the account page, with the reason, until it is set up', async (t) => {
  const { fixture, ana } = await startOwned(t)
  const bob = await fixture.hub.person({ organizationId: ana.organizationId, role: 'developer' })
  const own = await visitAs(fixture, ana, '/settings')
  await own.page.getByText('turn it on in your own account first').waitFor()
  await enableTotp(fixture, ana)
  await own.page.reload()
  const open = await visitAs(fixture, bob, '/channels')
  await open.page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()

  await own.page.getByRole('button', { name: 'Require two-factor sign-in' }).click()
  const dialog = own.page.getByRole('dialog')
  await dialog.getByText('1 member loses access until they turn it on in their account.').waitFor()
  await dialog.getByRole('button', { name: 'Require two-factor sign-in' }).click()
  await own.page.getByText('Every member needs two-factor sign-in.').waitFor()

  // The stream of the open page ends, and what it reads next is refused.
  await open.page.waitForURL('**/account')
  await open.page.getByText('Acme requires two-factor sign-in.').waitFor()
  await assertNoBarriers(open.page, 'the account page of a member without a second factor')
  await open.page.goto(`${fixture.origin}/messages`)
  await open.page.waitForURL('**/account')
  await enableTotp(fixture, bob)
  await open.page.goto(`${fixture.origin}/channels`)
  await open.page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  assertNoProblems(fixture, own.seen)
})

test('an owner deletes the organization after typing its name, and keeps it from the banner of another page', async (t) => {
  const { fixture, ana } = await startOwned(t)
  const viewer = await fixture.hub.person({ organizationId: ana.organizationId, role: 'viewer' })
  const { page, seen } = await visitAs(fixture, ana, '/settings')

  await page.getByRole('button', { name: 'Delete the organization…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Acme?' })
  const confirm = dialog.getByRole('button', { name: 'Delete in seven days' })
  await dialog.getByRole('textbox').fill('Acm')
  assert.ok(await confirm.isDisabled())
  await dialog.getByRole('textbox').press('e')
  await dialog.getByText('Messages, events, deliveries, counts and the audit log are permanently deleted.').waitFor()
  await assertNoBarriers(page, 'the confirmation of a deletion')
  await page.keyboard.press('Enter')
  await page.getByText(/^Acme will be deleted on /).waitFor()
  await page.getByText(/^This organization will be deleted on /).waitFor()
  await assertNoBarriers(page, 'settings with a deletion that waits')
  assert.notEqual((await readSettings(ana)).deletes_at, null)

  const other = await visitAs(fixture, viewer, '/channels')
  await other.page.getByText('An owner can keep it.').waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Keep the organization' }).count(), 0)
  await page.goto(`${fixture.origin}/channels`)
  await page.getByRole('button', { name: 'Keep the organization' }).press('Enter')
  await page.getByText('The organization stays.').waitFor()
  await page.getByText(/^Acme will be deleted on /).waitFor({ state: 'detached' })

  assert.equal((await readSettings(ana)).deletes_at, null)
  assertNoProblems(fixture, seen)
  assertNoProblems(fixture, other.seen)
})

test("a first visit with a browser of another language is in the organization's", async (t) => {
  const { fixture, ana } = await startOwned(t)
  const path = `/console/organizations/${ana.organizationId}/settings`
  assert.equal((await toClient(fixture, ana).patch(path, { language: 'pt-BR' })).status, 200)

  const german = await visitAs(fixture, ana, '/settings', { locale: 'de-DE' })
  const english = await visitAs(fixture, ana, '/settings', { locale: 'en-GB' })

  await german.page.getByRole('heading', { name: 'Configurações', level: 1 }).waitFor()
  await english.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  assertNoProblems(fixture, german.seen)
})

test('a page whose code cannot be loaded says so in Portuguese, and is there after another attempt', async (t) => {
  const { fixture, ana } = await startOwned(t)
  const { page } = await visitAs(fixture, ana, '/members', { locale: 'pt-BR' })
  await page.getByRole('heading', { name: 'Membros', level: 1 }).waitFor()
  const code = '**/assets/settings-page*'
  await page.route(code, (route) => route.abort())

  await page.goto(`${fixture.origin}/settings`)
  await page.getByText('Não foi possível carregar esta página').first().waitFor()
  await page.unroute(code)
  await page.getByRole('button', { name: 'Tentar de novo' }).click()

  await page.getByRole('heading', { name: 'Configurações', level: 1 }).waitFor()
})
