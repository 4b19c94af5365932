import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toIssue } from '../../../kernel/errors.ts'
import { newContact, startFacade, TEMPLATE, toStatusAndCode } from '../test/fixture.ts'
import { refuseReservedParameters } from './reserved-parameters.ts'

test('a body without reserved parameters is unchanged', () => {
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
  test(`a body with ${JSON.stringify(name)} is refused with its path`, () => {
    assert.throws(() => refuseReservedParameters({ to: '1', [name]: 'x' }), {
      code: 'INVALID_REQUEST',
      message: `The body is invalid: ${name} is not a parameter of this path.`,
      details: {
        reason: 'body_invalid',
        parameters: { path: name, problem: 'is not a parameter of this path' },
        issues: [toIssue(`/${name}`, 'reserved_parameter')],
      },
    })
  })
}

// Graph executes a POST with {"method": "delete"} as a DELETE, and one with `fields` as a read.
test('a body with a reserved parameter is 400 on every path, without an upstream call', {
  rules: ['facade.reserved-parameters-are-400', 'facade.forwards-an-allowlist-only'],
}, async (t) => {
  const { client, phone, waba, upstreamCalls, log } = await startFacade(t)
  const bodies = {
    [`${phone}/messages`]: { to: newContact(), text: { body: 'x' } },
    [`${phone}/whatsapp_business_profile`]: { about: 'x' },
    [`${waba}/message_templates`]: TEMPLATE,
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  for (const [path, body] of Object.entries(bodies)) {
    for (const reserved of [
      { method: 'get' },
      { access_token: 'x' },
      { fields: 'owner_business_info' },
      { batch: [] },
    ]) {
      assert.deepEqual(toStatusAndCode(await client.post(path, { ...body, ...reserved })), [400, 'INVALID_REQUEST'])
    }
    assert.deepEqual(toStatusAndCode(await client.send('POST', path, { raw: 'method=delete', headers: form })), [
      400,
      'INVALID_REQUEST',
    ])
  }
  const receipt = { status: 'read', message_id: 'wamid.x', method: 'delete' }
  assert.deepEqual(toStatusAndCode(await client.post(`${phone}/messages`, receipt)), [400, 'INVALID_REQUEST'])
  assert.deepEqual(await upstreamCalls(), [])
  assert.deepEqual(await log(), [])
})
