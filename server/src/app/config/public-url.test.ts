import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTemplate, postForm, startFacade } from '../../domains/facade/test/fixture.ts'
import { FILES } from '../../domains/media/test/files.ts'
import { newId } from '../../kernel/ids.ts'

const PUBLIC_URL = 'https://hub.example.com'
const PNG = { bytes: FILES.png!.bytes, name: 'a.png', type: 'image/png' }

test('every URL that the hub returns is under PUBLIC_URL', {
  rules: ['config.public-url-is-the-base-of-links'],
}, async (t) => {
  const scene = await startFacade(t, { env: { PUBLIC_URL, BILLING: 'sandbox' } })
  const { acme, channel, client, phone, waba, hub } = scene
  const first = async (kind: string) => {
    const path = `/payments/objects/${kind}`
    return (await scene.up.simulator.control<Record<string, Record<string, string>[]>>('GET', path))[kind]?.[0] ?? {}
  }
  for (const name of ['one', 'two']) await createTemplate(scene, name)
  const uploaded = await postForm(client, `${phone}/media`, [PNG])

  const link = await acme.post(`/api/v1/channels/${channel.id}/connect-link`)
  const headers = { 'idempotency-key': newId() }
  await acme.post('/api/v1/subscription/checkout', { plan: 'pro' }, { headers })
  const portal = await acme.post('/api/v1/subscription/portal')
  await hub.anonymous.get(new URL(portal.body.data.portal_url).pathname)
  const media = await client.get(`/upstream/${uploaded.body.id}`)
  const templates = await client.get(`${waba}/message_templates?limit=1`)

  const [checkout, entered] = [await first('checkout_sessions'), await first('portal_sessions')]
  const addresses = {
    connect_url: link.body.data.connect_url,
    portal_url: portal.body.data.portal_url,
    'return of a checkout': checkout.success_url,
    'return of a checkout that was given up': checkout.cancel_url,
    'return of the portal': entered.return_url,
    'media url': media.body.url,
    'next page': templates.body.paging.next,
  }
  for (const [what, address] of Object.entries(addresses)) {
    assert.ok(String(address).startsWith(`${PUBLIC_URL}/`), `${what}: ${address}`)
  }
})
