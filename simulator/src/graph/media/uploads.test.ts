import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, startFixture } from '../../test/harness.ts'

const BYTES = Buffer.from('%PDF-1.4 a sample')

async function open(fixture: Fixture, length = BYTES.length, type = 'application/pdf'): Promise<string> {
  const query = `file_name=a.pdf&file_length=${length}&file_type=${encodeURIComponent(type)}`
  const { body } = await fixture.graph('POST', `/v25.0/${fixture.simulator.appId}/uploads?${query}`)
  return (body as unknown as { id: string }).id
}

function put(fixture: Fixture, id: string, bytes: Buffer, headers: Record<string, string> = { file_offset: '0' }) {
  return fixture.graph('POST', `/v25.0/${id}`, bytes, { authorization: `OAuth ${fixture.token}`, ...headers })
}

test('a session id contains its signature, and an upload to it returns a handle', async (t) => {
  const fixture = await startFixture(t)

  const id = await open(fixture)
  const { status, body } = await put(fixture, id, BYTES)

  assert.match(id, /^upload:[A-Za-z0-9+/=]+\?sig=[A-Za-z0-9]+$/)
  assert.equal(status, 200)
  assert.match((body as unknown as { h: string }).h, /^4::/)
})

test('a session id without its signature, or with it escaped into the path, does not exist', async (t) => {
  const fixture = await startFixture(t)
  const id = await open(fixture)

  assert.equal((await put(fixture, id.split('?')[0] ?? '', BYTES)).body.error.error_subcode, 33)
  assert.equal((await put(fixture, encodeURIComponent(id), BYTES)).body.error.error_subcode, 33)
  assert.equal((await put(fixture, `${id}x`, BYTES)).body.error.error_subcode, 33)
})

test('the offset is a header and must equal the number of received bytes', async (t) => {
  const fixture = await startFixture(t)
  const id = await open(fixture)

  assert.match((await put(fixture, `${id}&file_offset=0`, BYTES, {})).body.error.message, /file_offset is required/)
  assert.match((await put(fixture, id, BYTES, { file_offset: '5' })).body.error.message, /does not match/)
})

test('a part of the bytes returns the offset, and the rest completes the upload', async (t) => {
  const fixture = await startFixture(t)
  const id = await open(fixture)

  const { body } = await put(fixture, id, BYTES.subarray(0, 5))
  assert.deepEqual(body, { id, file_offset: 5 })
  const rest = await put(fixture, id, BYTES.subarray(5), { file_offset: '5' })
  assert.match((rest.body as unknown as { h: string }).h, /^4::/)
})

test('a type that template headers do not support, and a length out of range, are refused', async (t) => {
  const fixture = await startFixture(t)
  const refuse = async (query: string) =>
    (await fixture.graph('POST', `/${fixture.simulator.appId}/uploads?${query}`)).body.error.message

  assert.match(await refuse('file_length=5&file_type=image/webp'), /file_type must be one of/)
  assert.match(await refuse('file_type=image/png'), /file_length is required/)
  assert.match(await refuse('file_length=0&file_type=image/png'), /out of range/)
  assert.match(await refuse(`file_length=${100 * 1024 * 1024 + 1}&file_type=image/png`), /out of range/)
  const short = await open(fixture, BYTES.length - 1)
  assert.match((await put(fixture, short, BYTES)).body.error.message, /More bytes were sent/)
})

test('a session shows how many bytes it has received', async (t) => {
  const fixture = await startFixture(t)
  const id = await open(fixture)
  await put(fixture, id, BYTES.subarray(0, 5))

  assert.deepEqual((await fixture.graph('GET', `/v25.0/${id}`)).body, { id, file_offset: 5 })
  assert.equal((await fixture.graph('GET', `/v25.0/${id.split('?')[0]}`)).body.error.error_subcode, 33)
})
