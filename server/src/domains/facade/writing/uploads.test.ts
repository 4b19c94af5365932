import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILES, megabytes, padded, REFUSED } from '../../media/test/files.ts'
import { MULTIPART, type Part } from '../../media/test/uploads.ts'
import { postForm, startFacade, told } from '../test/scene.ts'

const PNG: Part = { bytes: FILES.png!.bytes, name: 'a.png', type: 'image/png' }
const PRODUCT: Part = { field: 'messaging_product', name: null, bytes: 'whatsapp' }
const TYPE: Part = { field: 'type', name: null, bytes: 'image/png' }

for (const [what, parts] of Object.entries({
  'the file alone': [PNG],
  'its fields before the file': [PRODUCT, TYPE, PNG],
  'its fields after the file': [PNG, TYPE, PRODUCT],
  'its fields around the file': [TYPE, PNG, PRODUCT],
  'only the product': [PRODUCT, PNG],
})) {
  test(`a form with ${what} uploads a file, which belongs to the channel from then on`, {
    rules: ['D12-03', 'D12-18', 'FAW-02', 'FAW-07'],
  }, async (t) => {
    const { client, phone, hub, channel } = await startFacade(t)

    const answer = await postForm(client, `${phone}/media`, parts)

    const { id } = answer.body
    const rows = await hub.sql`select media_id, mime_type from channel_media where channel_id = ${channel.id}`
    assert.deepEqual([answer.status, answer.text], [200, `{"id":"${id}"}`])
    assert.deepEqual([...rows], [{ media_id: id, mime_type: 'image/png' }])
    assert.equal((await client.get(`/upstream/${id}`)).body.mime_type, 'image/png')
  })
}

test('the product may stand in the query of an upload', async (t) => {
  const { client, phone } = await startFacade(t)

  assert.equal((await postForm(client, `${phone}/media?messaging_product=whatsapp`, [PNG])).status, 200)
})

test('a form with anything else, or without its file, is 400, and nothing is registered', async (t) => {
  const { client, phone, hub, channel } = await startFacade(t)
  const forms: Part[][] = [
    [],
    [PRODUCT, TYPE],
    [{ ...PNG, field: 'document' }],
    [{ field: 'access_token', name: null, bytes: 'EAA' }, PNG],
    [PNG, { field: 'other', name: null, bytes: 'x' }],
    [{ ...PRODUCT, bytes: 'facebook' }, PNG],
    [PNG, { ...PRODUCT, bytes: 'facebook' }],
    [{ ...TYPE, bytes: 'x'.repeat(2000) }, PNG],
    [PNG, PNG],
    [PRODUCT, TYPE, PRODUCT, PNG],
  ]

  for (const parts of forms) {
    const answer = await postForm(client, `${phone}/media`, parts)
    assert.deepEqual(told(answer), [400, 'INVALID_REQUEST'], JSON.stringify(parts.map(({ field }) => field)))
  }
  assert.deepEqual(told(await client.post(`${phone}/media`, {})), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.deepEqual(told(await client.send('POST', `${phone}/media`)), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.equal((await hub.sql`select 1 from channel_media where channel_id = ${channel.id}`).length, 0)
})

test('the bytes decide the type, and a file that is none of the upstream’s or too large is refused', async (t) => {
  const { client, phone } = await startFacade(t)
  const claimed = await postForm(client, `${phone}/media`, [{ ...TYPE, bytes: 'application/pdf' }, PNG])
  const gif = await postForm(client, `${phone}/media`, [{ ...PNG, bytes: REFUSED.gif! }])
  const large = await postForm(client, `${phone}/media`, [
    { ...PNG, bytes: padded(FILES.png!.bytes, megabytes(5) + 1) },
  ])

  assert.equal((await client.get(`/upstream/${claimed.body.id}`)).body.mime_type, 'image/png')
  assert.deepEqual(told(gif), [400, 'INVALID_MEDIA'])
  assert.deepEqual(told(large), [413, 'MEDIA_TOO_LARGE'])
})

test("the upstream's refusal of a file has its own words, and a dead credential is 502 and disconnects", async (t) => {
  const { client, phone, fault, up, channel, statusOfChannel } = await startFacade(t)
  await fault('error', '/media', { code: 131053 })

  const refused = await postForm(client, `${phone}/media`, [PNG])
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })
  const dead = await postForm(client, `${phone}/media`, [PNG])

  assert.deepEqual(told(refused), [400, 'UPSTREAM_REJECTED'])
  assert.equal(refused.body.error.details.code, 131053)
  assert.equal(refused.body.error.type, 'OAuthException')
  assert.deepEqual(told(dead), [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(await statusOfChannel(), 'disconnected')
})

test('a form is not read where the path or the query is refused', async (t) => {
  const { client, asked } = await startFacade(t)
  const raw = Buffer.alloc(1000, 'x')

  const foreign = await client.send('POST', '/upstream/123456/media', { raw, headers: MULTIPART })

  assert.deepEqual(told(foreign), [404, 'NOT_FOUND'])
  assert.deepEqual(await asked(), [])
})
