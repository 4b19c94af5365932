import assert from 'node:assert/strict'
import { test } from 'node:test'
import { somebody, startFacade, TEMPLATE, told } from '../test/scene.ts'
import { refuseReservedParameters } from './reserved-parameters.ts'

test('a body of plain parameters is left as it is', () => {
  const body = { to: '1', text: { body: 'x', fields: 'x', method: 'x' }, id: '1' }

  assert.equal(refuseReservedParameters(body), body)
})

for (const name of [
  'method',
  'Method',
  ' method',
  'access_token',
  'ACCESS_TOKEN',
  'batch',
  'ids',
  'fields',
  'callback',
]) {
  test(`a body with ${JSON.stringify(name)} is refused, and told so`, () => {
    assert.throws(() => refuseReservedParameters({ to: '1', [name]: 'x' }), {
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: `/${name}`, message: 'is no parameter of this path' }] },
    })
  })
}

// The Graph takes {"method": "delete"} in the body of a POST for a DELETE, and `fields` for a wish to read.
test('no body turns its request into another one: what the Graph itself would read in it is 400', {
  rules: ['FAC-02', 'GEN-13'],
}, async (t) => {
  const { client, phone, waba, asked, log } = await startFacade(t)
  const bodies = {
    [`${phone}/messages`]: { to: somebody(), text: { body: 'x' } },
    [`${phone}/whatsapp_business_profile`]: { about: 'x' },
    [`${waba}/message_templates`]: TEMPLATE,
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  for (const [path, body] of Object.entries(bodies)) {
    for (const word of [{ method: 'get' }, { access_token: 'x' }, { fields: 'owner_business_info' }, { batch: [] }]) {
      assert.deepEqual(told(await client.post(path, { ...body, ...word })), [400, 'INVALID_REQUEST'])
    }
    assert.deepEqual(told(await client.send('POST', path, { raw: 'method=delete', headers: form })), [
      ...[400, 'INVALID_REQUEST'],
    ])
  }
  const receipt = { status: 'read', message_id: 'wamid.x', method: 'delete' }
  assert.deepEqual(told(await client.post(`${phone}/messages`, receipt)), [400, 'INVALID_REQUEST'])
  assert.deepEqual(await asked(), [])
  assert.deepEqual(await log(), [])
})
