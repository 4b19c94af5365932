import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { openRawConnection } from '../../../test/raw-http.ts'
import { startRelayed } from '../../../test/relay.ts'
import { pdf } from './test/files.ts'
import { buildForm, buildPartHead, MULTIPART, type Part, startChannel } from './test/uploads.ts'

const FILE: Part = { bytes: pdf(2000), name: 'a.pdf' }

const INVALID_FORMS: [string, Part[]][] = [
  ['without a file', []],
  ['with the file in another field', [{ ...FILE, field: 'document' }]],
  ['with a text field where the file belongs', [{ bytes: 'hello', name: null }]],
  ['with a field before the file', [{ field: 'type', name: null, bytes: 'application/pdf' }, FILE]],
  ['with a field after the file', [FILE, { field: 'type', name: null, bytes: 'application/pdf' }]],
  ['with a file in another field before it', [{ ...FILE, field: 'other' }, FILE]],
  ['with two files', [FILE, FILE]],
  ['with two files of which the second is large', [FILE, { ...FILE, bytes: pdf(30_000_000) }]],
  ['with three files', [FILE, FILE, FILE]],
]

test('a form without exactly one file in the field `file` is 400, and nothing is registered', {
  rules: ['media.upload-without-file-is-400'],
}, async (t) => {
  const { acme, path, registered } = await startChannel(t)

  for (const [what, parts] of INVALID_FORMS) {
    const answer = await acme.send('POST', path, { raw: buildForm(parts), headers: MULTIPART })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], what)
    assert.match(answer.body.error.message, /file/, what)
  }
  assert.deepEqual(await registered(), [])
})

const whole = buildForm([FILE])

const BROKEN_BODIES: [string, Buffer][] = [
  ['an empty body', Buffer.alloc(0)],
  ['plain text', Buffer.from('just some text')],
  ['an end within the headers of the part', buildPartHead(FILE).subarray(0, -4)],
  ['an end within the first bytes of the file', whole.subarray(0, buildPartHead(FILE).length + 10)],
  ['an end in the middle of the file', buildForm([{ ...FILE, bytes: pdf(500_000) }]).subarray(0, 300_000)],
  ['an end within the last boundary', whole.subarray(0, -8)],
]

test('a body that is not a complete form is 400, and nothing is registered', {
  rules: ['media.upload-without-file-is-400'],
}, async (t) => {
  const { acme, path, registered } = await startChannel(t)

  for (const [what, raw] of BROKEN_BODIES) {
    const answer = await acme.send('POST', path, { raw: Buffer.from(raw), headers: MULTIPART })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], `${what}: ${answer.text}`)
  }
  assert.deepEqual(await registered(), [])
})

test('a form with a missing or wrong boundary is 400', async (t) => {
  const { acme, path } = await startChannel(t)

  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other']) {
    const answer = await acme.send('POST', path, { raw: whole, headers: { 'content-type': type } })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], type)
  }
})

test('a body that is not a form is 415, and the error names multipart/form-data', {
  rules: ['api.only-uploads-are-multipart'],
}, async (t) => {
  const { acme, path } = await startChannel(t)

  for (const type of ['application/json', 'application/pdf', 'text/plain', 'multipart/mixed; boundary=x', undefined]) {
    const headers = type === undefined ? {} : { 'content-type': type }
    const answer = await acme.send('POST', path, { raw: Buffer.from('{}'), headers })

    assert.deepEqual([answer.status, answer.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'], type)
    assert.match(answer.body.error.message, /multipart\/form-data/, type)
  }
  const empty = await acme.send('POST', path)
  assert.deepEqual([empty.status, empty.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
})

test('a file name may be in any script, and the declared type is optional', async (t) => {
  const { acme, path } = await startChannel(t)
  const parts: Part[] = [
    { bytes: pdf(2000), name: 'relatório 年報 🥐.pdf' },
    { bytes: pdf(2000), name: '../../etc/passwd' },
    { bytes: pdf(2000), name: '', type: 'application/octet-stream' },
    { bytes: pdf(2000), name: 'a'.repeat(500) },
  ]

  const answers = []
  for (const part of parts) {
    answers.push(await acme.send('POST', path, { raw: buildForm([part]), headers: MULTIPART }))
  }

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
})

/** A request whose body the test writes in parts. */
async function beginUpload(t: TestContext, bytes: number) {
  const relayed = await startRelayed(t)
  const connection = await openRawConnection(relayed.hub.url)
  connection.write(
    [
      `POST /api/v1/channels/${relayed.id}/media HTTP/1.1`,
      'Host: hub',
      `Authorization: Bearer ${relayed.acme.key}`,
      `Content-Type: ${MULTIPART['content-type']}`,
      `Content-Length: ${bytes}`,
      '\r\n',
    ].join('\r\n'),
  )
  async function registered(): Promise<number> {
    const rows = await relayed.hub.sql`select 1 from channel_media where channel_id = ${relayed.id}`
    return rows.length
  }
  return { ...relayed, connection, registered }
}

test('the hub streams a file upstream while it arrives', { rules: ['media.upload-streams'] }, async (t) => {
  const form = buildForm([{ bytes: pdf(200_000) }])
  const { relay, connection, registered } = await beginUpload(t, form.length)
  const asked = relay.catch('/media')

  connection.write(form.subarray(0, 100_000))
  const { request, proceed } = await asked
  await once(request, 'readable')
  proceed()
  connection.write(form.subarray(100_000))
  connection.write('GET /health HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n')
  const answer = await connection.answer()

  assert.match(answer.text, /HTTP\/1.1 200 OK/)
  assert.equal(await registered(), 1)
})

test('a client that disconnects during its file aborts the upload upstream', async (t) => {
  const form = buildForm([{ bytes: pdf(1_000_000) }])
  const { hub, relay, connection, registered } = await beginUpload(t, form.length)
  const asked = relay.catch('/media')

  connection.write(form.subarray(0, 300_000))
  const { request, aborted } = await asked
  request.resume()
  connection.hangUp()
  await aborted
  await hub.stop()

  assert.equal(await registered(), 0)
  assert.ok(!hub.logs.some((line) => line.includes('"level":"error"')))
})

test('an upload is 404 if its channel is deleted meanwhile, and nothing is registered', async (t) => {
  const { hub, relay, acme, id } = await startRelayed(t)
  const asked = relay.catch('/media')

  const uploading = acme.send('POST', `/api/v1/channels/${id}/media`, { raw: whole, headers: MULTIPART })
  const { proceed } = await asked
  const deleted = await acme.delete(`/api/v1/channels/${id}`)
  proceed()
  const answer = await uploading

  assert.equal(deleted.status, 200)
  assert.deepEqual([answer.status, answer.body.error.code], [404, 'NOT_FOUND'])
  assert.equal((await hub.sql`select 1 from channel_media where channel_id = ${id}`).length, 0)
})

test('an upstream success before the whole file was read is UPSTREAM_UNAVAILABLE', async (t) => {
  const form = buildForm([{ bytes: pdf(20_000_000) }])
  const { relay, connection, registered } = await beginUpload(t, form.length)
  const asked = relay.catch('/media')

  connection.write(form.subarray(0, 1_000_000))
  ;(await asked).answer(200, '{"id":"1"}')
  const answer = await connection.answer()

  assert.deepEqual([answer.status, answer.body.error.code], [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(await registered(), 0)
})
