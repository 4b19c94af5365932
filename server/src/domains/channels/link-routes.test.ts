import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'

test('the links of a channel are listed with their maker, expiry and state, and never with their token', {
  rules: ['link.list-has-maker-expiry-and-state'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const viewer = await hub.person({ organizationId: owner.organizationId, role: 'viewer' })
  const { id } = (await owner.post('/api/v1/channels', { name: 'Padaria' })).body.data.channel
  const create = async () => (await owner.post(`/api/v1/channels/${id}/connect-link`)).body.data.connect_url as string
  const read = () => viewer.get(`/console/channels/${id}/connect-links`)
  const urls = [await create(), await create()]

  const listed = await read()
  await hub.clock.advance('25 hours')
  const later = await read()

  const { connect_links: links } = listed.body.data
  assert.deepEqual(
    links.map(({ state }: { state: string }) => state),
    ['open', 'replaced'],
  )
  assert.deepEqual([links[0].created_by.type, links[0].created_by.id], ['user', owner.userId])
  assert.ok(Date.parse(links[0].expires_at) > Date.parse(links[0].created_at))
  for (const url of urls) assert.ok(!listed.text.includes(url.split('/').at(-1) ?? url))
  assert.equal(later.body.data.connect_links[0].state, 'expired')
})
