import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILES, megabytes, padded, REFUSED } from '../../media/test/files.ts'
import { MULTIPART, type Part } from '../../media/test/uploads.ts'
import { postForm, startFacade, toStatusAndCode } from '../test/fixture.ts'

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
    rules: ['facade.messaging-product-may-stand-anywhere', 'media.belongs-to-its-channel', 'facade.uploads-media'],
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

test('messaging_product may be in the query of an upload', async (t) => {
  const { client, phone } = await startFacade(t)

  assert.equal((await postForm(client, `${phone}/media?messaging_product=whatsapp`, [PNG])).status, 200)
})

test('a form with other fields or without a file is 400, and no file is registered', async (t) => {
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
    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'], JSON.stringify(parts.map(({ field }) => field)))
  }
  assert.deepEqual(toStatusAndCode(await client.post(`${phone}/media`, {})), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.deepEqual(toStatusAndCode(await client.send('POST', `${phone}/media`)), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.equal((await hub.sql`select 1 from channel_media where channel_id = ${channel.id}`).length, 0)
})

test('the bytes decide the type of a file, and unsupported or too large files are refused', async (t) => {
  const { client, phone } = await startFacade(t)
  const claimed = await postForm(client, `${phone}/media`, [{ ...TYPE, bytes: 'application/pdf' }, PNG])
  const gif = await postForm(client, `${phone}/media`, [{ ...PNG, bytes: REFUSED.gif! }])
  const large = await postForm(client, `${phone}/media`, [
    { ...PNG, bytes: padded(FILES.png!.bytes, megabytes(5) + 1) },
  ])

  assert.equal((await client.get(`/upstream/${claimed.body.id}`)).body.mime_type, 'image/png')
  assert.deepEqual(toStatusAndCode(gif), [400, 'INVALID_MEDIA'])
  assert.deepEqual(toStatusAndCode(large), [413, 'MEDIA_TOO_LARGE'])
})

test("the upstream's refusal of a file keeps its error fields, and a refused credential is 502 and disconnects", async (t) => {
  const { client, phone, fault, up, channel, readChannelStatus } = await startFacade(t)
  await fault('error', '/media', { code: 131053 })

  const refused = await postForm(client, `${phone}/media`, [PNG])
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })
  const revoked = await postForm(client, `${phone}/media`, [PNG])

  assert.deepEqual(toStatusAndCode(refused), [400, 'UPSTREAM_REJECTED'])
  assert.equal(refused.body.error.details.code, 131053)
  assert.equal(refused.body.error.type, 'OAuthException')
  assert.deepEqual(toStatusAndCode(revoked), [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(await readChannelStatus(), 'disconnected')
})

test('an upload to a foreign path is 404 before its form is read', async (t) => {
  const { client, upstreamCalls } = await startFacade(t)
  const raw = Buffer.alloc(1000, 'x')

  const foreign = await client.send('POST', '/upstream/123456/media', { raw, headers: MULTIPART })

  assert.deepEqual(toStatusAndCode(foreign), [404, 'NOT_FOUND'])
  assert.deepEqual(await upstreamCalls(), [])
})
