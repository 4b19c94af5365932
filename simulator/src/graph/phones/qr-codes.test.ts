import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../random.ts'
import { type Fixture, startFixture } from '../../test/harness.ts'
import type { Graph } from '../context.ts'
import type { GraphCall } from '../http/call.ts'
import type { Phone } from '../model.ts'
import { createState } from '../state.ts'
import { saveQrCode } from './qr-codes.ts'

type QrCode = { code: string; prefilled_message: string; deep_link_url: string; qr_image_url?: string }

function call(fixture: Fixture, method: string, path = '', body?: object) {
  return fixture.graph(method, `/v25.0/${fixture.phoneId}/message_qrdls${path}`, body)
}

async function create(fixture: Fixture, body: object = {}): Promise<QrCode> {
  const reply = await call(fixture, 'POST', '', { prefilled_message: 'Oi', generate_qr_image: 'PNG', ...body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body as unknown as QrCode
}

test('a QR code is created with its image, listed, read and deleted', async (t) => {
  const fixture = await startFixture(t)

  const created = await create(fixture)
  const { code, prefilled_message, deep_link_url, qr_image_url } = created
  const listed = await call(fixture, 'GET')
  const read = await call(fixture, 'GET', `/${code}?fields=code,qr_image_url.format(SVG)`)
  const deleted = await call(fixture, 'DELETE', `/${code}`)

  assert.match(code, /^[A-Z0-9]{14}$/)
  assert.deepEqual([prefilled_message, deep_link_url], ['Oi', `https://wa.me/message/${code}`])
  assert.match(qr_image_url ?? '', /\.png$/)
  assert.deepEqual(listed.body.data, [{ code, prefilled_message, deep_link_url }])
  const [node] = read.body.data as [QrCode]
  assert.deepEqual(Object.keys(node), ['code', 'qr_image_url'])
  assert.deepEqual(deleted.body, { success: true })
  assert.deepEqual((await call(fixture, 'GET')).body.data, [])
})

test('a code with a new message keeps its address', async (t) => {
  const fixture = await startFixture(t)
  const { code, deep_link_url } = await create(fixture)

  const { body } = await call(fixture, 'POST', '', { code, prefilled_message: 'Bom dia' })

  assert.deepEqual(body, { code, prefilled_message: 'Bom dia', deep_link_url })
})

test('a message that is missing or too long, an unknown format and an unknown code are refused', async (t) => {
  const fixture = await startFixture(t)
  const refuse = async (body: object) => (await call(fixture, 'POST', '', body)).body.error

  assert.match((await refuse({ generate_qr_image: 'SVG' })).message, /prefilled_message is required/)
  assert.match((await refuse({ prefilled_message: 'a'.repeat(141) })).message, /at most 140/)
  assert.match((await refuse({ prefilled_message: 'a', generate_qr_image: 'GIF' })).message, /generate_qr_image/)
  assert.equal((await refuse({ prefilled_message: 'a', code: 'NONE' })).error_subcode, 33)
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await call(fixture, method, '/NONE')).body.error.error_subcode, 33)
  }
  assert.equal((await call(fixture, 'GET', '/A/B')).body.error.code, 2500)
})

test('a number has at most 2,000 QR codes', () => {
  const graph = { state: createState(() => undefined), random: createRandom('test') } as unknown as Graph
  const phone = { id: '1' } as Phone
  const save = () =>
    saveQrCode(graph, { node: phone, params: { prefilled_message: 'a' } } as unknown as GraphCall<'phone'>)

  for (let n = 0; n < 2_000; n++) save()

  assert.throws(save, /at most 2000 QR codes/)
})
