import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { startHub } from '../../../test/hub.ts'
import { createChannel, createLink, PIN, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { buildPng } from '../../../test/images.ts'

const PNG = buildPng(8, 8)

async function start(t: Parameters<typeof startHub>[0]) {
  const { hub, up, post } = await startHubWithUpstream(t)
  const ana = await hub.person()
  const settings = `/console/organizations/${ana.organizationId}`
  const channel = await createChannel(ana)
  const show = async (link: string) => (await hub.anonymous.get(`/api/v1/connect/${link}`)).body.data.brand
  return { hub, up, post, ana, settings, channel, show }
}

test('an open link shows the color and the logo of its organization, and serves the logo until it is used', {
  rules: ['connect.page-has-logo-and-color', 'connect.logo-needs-an-open-link'],
}, async (t) => {
  const { hub, up, post, ana, settings, channel, show } = await start(t)
  const link = await createLink(ana, channel.id)
  assert.deepEqual(await show(link), { color: null, logo_url: null })
  assert.equal((await hub.anonymous.get(`/api/v1/connect/${link}/logo`)).status, 404)
  await ana.patch(`${settings}/settings`, { color: '#7a2e5d' })
  await ana.put(`${settings}/logo`, { content: PNG.toString('base64') })

  const brand = await show(link)
  const path = new URL(brand.logo_url).pathname
  const served = await hub.anonymous.get(path)
  assert.equal((await post(link, await up.number(), { pin: PIN })).status, 200)
  const used = await hub.anonymous.get(path)
  const unknown = await hub.anonymous.get(path.replace(/.\/logo$/, '_/logo'))

  assert.deepEqual(brand.color, { on_light: '#7a2e5d', on_dark: '#a97796' })
  assert.equal(path, `/api/v1/connect/${link}/logo`)
  assert.equal(served.status, 200)
  assert.equal(served.headers.get('content-type'), 'image/png')
  assert.equal(served.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual([used.status, unknown.status], [410, 404])
})

test('a color on which white text cannot be read is kept and not used, and the settings say its contrast', {
  rules: ['connect.page-has-a-readable-color'],
}, async (t) => {
  const { ana, settings, channel, show } = await start(t)
  const link = await createLink(ana, channel.id)

  const changed = await ana.patch(`${settings}/settings`, { color: '#ffcc00' })

  const { color, color_contrast } = changed.body.data.settings
  assert.deepEqual([color, color_contrast], ['#ffcc00', 1.51])
  assert.equal((await show(link)).color, null)
})

for (const color of ['red', '#7A2E5D', '#fff', '#7a2e5d80', 'url(#x)', '#7a2e5d;', 7, {}]) {
  test(`the color ${JSON.stringify(color)} is refused`, { rules: ['connect.page-has-logo-and-color'] }, async (t) => {
    const { ana, settings } = await start(t)

    assert.equal((await ana.patch(`${settings}/settings`, { color })).status, 400)
  })
}

test('the export of an organization has its color and its logo', {
  rules: ['export.has-everything-of-the-organization'],
}, async (t) => {
  const { ana, settings } = await start(t)
  await ana.patch(`${settings}/settings`, { color: '#7a2e5d' })
  await ana.put(`${settings}/logo`, { content: PNG.toString('base64') })

  const { text } = await ana.get(`${settings}/export`)
  const line = text.split('\n').find((one) => one.includes('"type":"organization"')) ?? '{}'

  assert.ok(line.includes('"color":"#7a2e5d"'), line)
  assert.ok(line.includes(PNG.toString('base64')), line)
})
