import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { startRelayed } from '../../../test/relay.ts'
import { dial } from '../../../test/wire.ts'
import { pdf } from './test/files.ts'
import { formOf, headOf, MULTIPART, type Part, startChannel } from './test/uploads.ts'

const FILE: Part = { bytes: pdf(2000), name: 'a.pdf' }

for (const [what, parts] of [
  ['without a file', []],
  ['with the file in another field', [{ ...FILE, field: 'document' }]],
  ['with a text field where the file belongs', [{ bytes: 'hello', name: null }]],
  ['with a field before the file', [{ field: 'type', name: null, bytes: 'application/pdf' }, FILE]],
  ['with a field after the file', [FILE, { field: 'type', name: null, bytes: 'application/pdf' }]],
  ['with a file in another field before it', [{ ...FILE, field: 'other' }, FILE]],
  ['with two files', [FILE, FILE]],
  ['with two files of which the second is large', [FILE, { ...FILE, bytes: pdf(30_000_000) }]],
  ['with three files', [FILE, FILE, FILE]],
] as [string, Part[]][]) {
  test(`a form ${what} is 400, and nothing is registered`, { rules: ['CHE-20'] }, async (t) => {
    const { acme, path, registered } = await startChannel(t)

    const answer = await acme.send('POST', path, { raw: formOf(parts), headers: MULTIPART })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'])
    assert.match(answer.body.error.message, /file/)
    assert.deepEqual(await registered(), [])
  })
}

const whole = formOf([FILE])

for (const [what, raw] of [
  ['that is empty', Buffer.alloc(0)],
  ['that is no form', Buffer.from('just some text')],
  ['that ends in the headers of its part', headOf(FILE).subarray(0, -4)],
  ['that ends in the first bytes of its file', whole.subarray(0, headOf(FILE).length + 10)],
  ['that ends in the middle of its file', formOf([{ ...FILE, bytes: pdf(500_000) }]).subarray(0, 300_000)],
  ['that ends in its last boundary', whole.subarray(0, -8)],
] as const) {
  test(`a form ${what} is 400, and nothing is registered`, { rules: ['CHE-20'] }, async (t) => {
    const { acme, path, registered } = await startChannel(t)

    const answer = await acme.send('POST', path, { raw: Buffer.from(raw), headers: MULTIPART })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], answer.text)
    assert.deepEqual(await registered(), [])
  })
}

for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other']) {
  test(`a form under ${type} is 400`, async (t) => {
    const { acme, path } = await startChannel(t)

    const answer = await acme.send('POST', path, { raw: whole, headers: { 'content-type': type } })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'])
  })
}

for (const type of ['application/json', 'application/pdf', 'text/plain', 'multipart/mixed; boundary=x', undefined]) {
  test(`a body of type ${type} is 415, and is told how to send a file`, { rules: ['GEN-03'] }, async (t) => {
    const { acme, path } = await startChannel(t)
    const headers = type === undefined ? {} : { 'content-type': type }

    const answer = await acme.send('POST', path, { raw: Buffer.from('{}'), headers })

    assert.deepEqual([answer.status, answer.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
    assert.match(answer.body.error.message, /multipart\/form-data/)
  })
}

test('a request without any body is told how to send a file', async (t) => {
  const { acme, path } = await startChannel(t)

  const answer = await acme.send('POST', path)

  assert.deepEqual([answer.status, answer.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
})

test('the field may come with a name in any script, and with a declared type or none', async (t) => {
  const { acme, path } = await startChannel(t)
  const parts: Part[] = [
    { bytes: pdf(2000), name: 'relatório 年報 🥐.pdf' },
    { bytes: pdf(2000), name: '../../etc/passwd' },
    { bytes: pdf(2000), name: '', type: 'application/octet-stream' },
    { bytes: pdf(2000), name: 'a'.repeat(500) },
  ]

  const answers = []
  for (const part of parts) {
    answers.push(await acme.send('POST', path, { raw: formOf([part]), headers: MULTIPART }))
  }

  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
})

/** A request whose body the test writes piece by piece. */
async function beginUpload(t: TestContext, bytes: number) {
  const scene = await startRelayed(t)
  const connection = await dial(scene.hub.url)
  connection.write(
    [
      `POST /api/v1/channels/${scene.id}/media HTTP/1.1`,
      'Host: hub',
      `Authorization: Bearer ${scene.acme.key}`,
      `Content-Type: ${MULTIPART['content-type']}`,
      `Content-Length: ${bytes}`,
      '\r\n',
    ].join('\r\n'),
  )
  async function registered(): Promise<number> {
    const rows = await scene.hub.sql`select 1 from channel_media where channel_id = ${scene.id}`
    return rows.length
  }
  return { ...scene, connection, registered }
}

test('the file goes upstream while it still arrives', { rules: ['D7-25'] }, async (t) => {
  const form = formOf([{ bytes: pdf(200_000) }])
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

test('a client that goes away in the middle of its file takes the upload upstream with it', async (t) => {
  const form = formOf([{ bytes: pdf(1_000_000) }])
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

test('a file whose channel is deleted while it is on its way is 404, and is registered nowhere', async (t) => {
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

test('an upstream that answers before it has read the file is not believed', async (t) => {
  const form = formOf([{ bytes: pdf(20_000_000) }])
  const { relay, connection, registered } = await beginUpload(t, form.length)
  const asked = relay.catch('/media')

  connection.write(form.subarray(0, 1_000_000))
  ;(await asked).answer(200, '{"id":"1"}')
  const answer = await connection.answer()

  assert.deepEqual([answer.status, answer.body.error.code], [502, 'UPSTREAM_UNAVAILABLE'])
  assert.equal(await registered(), 0)
})
