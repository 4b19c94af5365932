import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { readMultipart } from './multipart.ts'

const TYPE = 'multipart/form-data; boundary=XX'
const FILE = Buffer.from('line one\r\n--X not a boundary\r\n\r\n--XY neither? \u0000\u00ff', 'latin1')
const BODY = Buffer.concat([
  Buffer.from('--XX\r\nContent-Disposition: form-data; name="messaging_product"\r\n\r\nwhatsapp\r\n'),
  Buffer.from(
    '--XX\r\nContent-Disposition: form-data; name="file"; filename="a b.png"\r\nContent-Type: image/png\r\n\r\n',
  ),
  FILE,
  Buffer.from('\r\n--XX\r\nContent-Disposition: form-data; name="type"\r\n\r\nimage/png\r\n--XX--\r\n'),
])

async function read(chunks: Buffer[], type = TYPE) {
  const taken: Buffer[] = []
  const open = () => {
    const stream = new PassThrough()
    stream.on('data', (chunk: Buffer) => taken.push(chunk))
    return stream
  }
  const form = await readMultipart(Readable.from(chunks), type, open)
  await new Promise((resolve) => setImmediate(resolve))
  return { form, file: Buffer.concat(taken) }
}

test('a form is the same wherever its bytes are split into chunks', async () => {
  for (let at = 1; at < BODY.length; at++) {
    const { form, file } = await read([BODY.subarray(0, at), BODY.subarray(at)])
    assert.deepEqual(file, FILE, `cut at ${at}`)
    assert.deepEqual(
      form?.fields,
      new Map([
        ['messaging_product', 'whatsapp'],
        ['type', 'image/png'],
      ]),
      `cut at ${at}`,
    )
    assert.deepEqual(form?.file, { name: 'file', filename: 'a b.png', type: 'image/png' })
  }
  const { file } = await read([...BODY].map((byte) => Buffer.from([byte])))
  assert.deepEqual(file, FILE)
})

test('a file of many chunks is complete, wherever the boundary falls', async () => {
  const [head = Buffer.alloc(0), tail = Buffer.alloc(0)] = [
    BODY.subarray(0, BODY.indexOf(FILE)),
    BODY.subarray(BODY.indexOf(FILE) + FILE.length),
  ]
  const content = Buffer.alloc(1_000, 'a\r\n--X')
  const whole = Buffer.concat([head, content, tail])
  for (const size of [7, 8, 9, 50, 101]) {
    const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
      whole.subarray(at * size, (at + 1) * size),
    )
    const { form, file } = await read(chunks)
    assert.deepEqual(file, content, `chunks of ${size}`)
    assert.equal(form?.fields.get('type'), 'image/png')
  }
})

test('accepts a quoted boundary', async () => {
  assert.ok((await read([BODY], 'multipart/form-data; boundary="XX"')).form)
})

test('refuses a body that ends early, has no boundary or is not a form', async () => {
  assert.equal((await read([BODY.subarray(0, BODY.length - 8)])).form, undefined)
  assert.equal((await read([BODY], 'multipart/form-data')).form, undefined)
  assert.equal((await read([Buffer.from('{}')])).form, undefined)
})
