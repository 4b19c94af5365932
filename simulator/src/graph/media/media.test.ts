import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Fixture, type SeededAccount, startFixture } from '../../test/harness.ts'
import { createFileStore } from './file-store.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const DAY_MS = 86_400_000

function buildForm(
  bytes: Buffer,
  type: string,
  fields: Record<string, string> = { messaging_product: 'whatsapp' },
): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), 'a file.bin')
  return form
}

async function upload(fixture: Fixture, bytes = PNG, type = 'image/png'): Promise<string> {
  const { status, body } = await fixture.graph('POST', `/v25.0/${fixture.phoneId}/media`, buildForm(bytes, type))
  assert.equal(status, 200, JSON.stringify(body))
  return (body as unknown as { id: string }).id
}

interface MediaNode {
  url: string
  mime_type: string
  sha256: string
  file_size: number
  id: string
  messaging_product: string
}

async function findNode(fixture: Fixture, id: string): Promise<MediaNode> {
  return (await fixture.graph('GET', `/v25.0/${id}`)).body as unknown as MediaNode
}

test('a download has the bytes of the upload and needs a bearer token', async (t) => {
  const fixture = await startFixture(t)

  const id = await upload(fixture)
  const node = await findNode(fixture, id)
  const response = await fetch(node.url, { headers: { authorization: `Bearer ${fixture.token}` } })

  assert.match(id, /^\d{15,17}$/)
  assert.deepEqual(
    { ...node, url: '' },
    {
      messaging_product: 'whatsapp',
      url: '',
      mime_type: 'image/png',
      sha256: createHash('sha256').update(PNG).digest('hex'),
      file_size: PNG.length,
      id,
    },
  )
  assert.equal(response.headers.get('content-type'), 'image/png')
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), PNG)
})

test('a download URL is refused after five minutes, without a token, and with another account’s token', async (t) => {
  const fixture = await startFixture(t)
  const other = await fixture.control<SeededAccount>('POST', '/accounts', {})
  const { url } = await findNode(fixture, await upload(fixture))
  const get = (token?: string, at = url) =>
    fetch(at, { headers: token ? { authorization: `Bearer ${token}` } : {} }).then((response) => response.status)

  assert.equal(await get(), 401)
  assert.equal(await get(undefined, `${url}&access_token=${fixture.token}`), 401)
  assert.equal(await get(other.access_token), 404)
  const posted = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${fixture.token}` } })
  assert.equal(posted.status, 405)
  assert.equal(await get(fixture.token, url.replace('hash=', 'hash=x')), 404)
  await fixture.advance(299_999)
  assert.equal(await get(fixture.token), 200)
  await fixture.advance(1)
  assert.equal(await get(fixture.token), 404)
})

test('a download without a User-Agent is refused', async (t) => {
  const fixture = await startFixture(t)
  const { url } = await findNode(fixture, await upload(fixture))

  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${fixture.token}` }
    request(url, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })

  assert.equal(status, 400)
})

test('an upload without the product, the file or an allowed type is refused with code 100', async (t) => {
  const fixture = await startFixture(t)
  const refuse = async (form: FormData) => (await fixture.graph('POST', `/${fixture.phoneId}/media`, form)).body.error
  const noFile = new FormData()
  noFile.set('messaging_product', 'whatsapp')

  assert.match((await refuse(buildForm(PNG, 'image/png', {}))).message, /messaging_product is required/)
  assert.match((await refuse(noFile)).message, /file is required/)
  const zip = await refuse(buildForm(PNG, 'application/zip'))
  assert.equal(zip.code, 100)
  assert.match(zip.message, /Received file of type 'application\/zip'/)
  const typed = buildForm(PNG, 'image/png', { messaging_product: 'whatsapp', type: 'image/gif' })
  assert.match((await refuse(typed)).message, /Received file of type 'image\/gif'/)
})

test('an empty file and one above the limit of its kind are refused', async (t) => {
  const fixture = await startFixture(t)
  const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])

  const image = await fixture.graph('POST', `/${fixture.phoneId}/media`, buildForm(large, 'image/png'))
  const document = await fixture.graph('POST', `/${fixture.phoneId}/media`, buildForm(large, 'application/pdf'))

  const empty = await fixture.graph('POST', `/${fixture.phoneId}/media`, buildForm(Buffer.alloc(0), 'image/png'))
  const sticker = await fixture.graph(
    'POST',
    `/${fixture.phoneId}/media`,
    buildForm(Buffer.alloc(500 * 1024 + 1), 'image/webp'),
  )

  assert.match(empty.body.error.message, /must not be empty/)
  assert.match(sticker.body.error.message, /at most 512000 bytes/)
  assert.match(image.body.error.message, /at most 5242880 bytes/)
  assert.equal(document.status, 200)
})

test('accepts the product in the query', async (t) => {
  const fixture = await startFixture(t)

  const reply = await fixture.graph(
    'POST',
    `/${fixture.phoneId}/media?messaging_product=whatsapp`,
    buildForm(PNG, 'image/png', {}),
  )

  assert.equal(reply.status, 200)
})

test('media does not exist for another phone_number_id', async (t) => {
  const fixture = await startFixture(t)
  const id = await upload(fixture)

  assert.equal((await fixture.graph('GET', `/${id}?phone_number_id=${fixture.phoneId}`)).status, 200)
  assert.equal((await fixture.graph('GET', `/${id}?phone_number_id=1`)).body.error.error_subcode, 33)
})

test('deleted media does not exist, and only its own number can delete it', async (t) => {
  const fixture = await startFixture(t)
  const id = await upload(fixture)
  const remove = (query = '') => fixture.graph('DELETE', `/v25.0/${id}${query}`)

  assert.equal((await remove('?phone_number_id=1')).body.error.error_subcode, 33)
  assert.deepEqual((await remove(`?phone_number_id=${fixture.phoneId}`)).body, { success: true })
  assert.equal((await remove()).body.error.error_subcode, 33)
  assert.equal((await fixture.graph('GET', `/${id}`)).body.error.error_subcode, 33)
})

test('uploaded media expires after thirty days and received media after seven', async (t) => {
  const fixture = await startFixture(t)
  const uploaded = await upload(fixture)
  await fixture.receive({ type: 'image' })
  const [message] = fixture.receiver.changes()[0]!.value.messages as [{ image: { id: string } }]
  const exists = async (id: string) => {
    const { access_token: token } = await fixture.control<{ access_token: string }>('POST', '/tokens', {
      waba_id: fixture.wabaId,
    })
    return (await fixture.graph('GET', `/${id}`, undefined, { authorization: `Bearer ${token}` })).status === 200
  }

  assert.ok(await exists(message.image.id))
  await fixture.advance(7 * DAY_MS)
  assert.ok(!(await exists(message.image.id)))
  await fixture.advance(23 * DAY_MS - 1)
  assert.ok(await exists(uploaded))
  await fixture.advance(1)
  assert.ok(!(await exists(uploaded)))
})

test('received media has a base64 hash in the webhook and a hex one in its node', async (t) => {
  const fixture = await startFixture(t)

  await fixture.receive({ type: 'document' })

  const [message] = fixture.receiver.changes()[0]!.value.messages as [
    { document: { id: string; sha256: string; url: string; filename: string; mime_type: string } },
  ]
  const node = await findNode(fixture, message.document.id)
  assert.equal(Buffer.from(message.document.sha256, 'base64').toString('hex'), node.sha256)
  assert.equal(message.document.filename, 'pedido.pdf')
  const bytes = await fetch(message.document.url, { headers: { authorization: `Bearer ${fixture.token}` } })
  assert.equal(
    createHash('sha256')
      .update(Buffer.from(await bytes.arrayBuffer()))
      .digest('hex'),
    node.sha256,
  )
})

test('a failed file rejects for its reader and does not end the process without one', async (t) => {
  const unhandled: unknown[] = []
  const note = (err: unknown) => unhandled.push(err)
  process.on('unhandledRejection', note)
  t.after(() => process.off('unhandledRejection', note))
  const files = createFileStore()
  const [ignored, awaited] = [files.open(), files.open()]

  files.close()
  ignored.stream.end('x')
  awaited.stream.end('x')

  await assert.rejects(awaited.stored, /ENOENT/)
  await setImmediate()
  assert.deepEqual(unhandled, [])
})
