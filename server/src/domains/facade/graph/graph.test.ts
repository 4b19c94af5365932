import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { newContact, startFacade } from '../test/fixture.ts'

/** The status, the code and the subcode of an error in Meta's form. */
function toError({ status, body }: Answer): unknown[] {
  const { code, error_subcode } = body?.error ?? {}
  return error_subcode === undefined ? [status, code] : [status, code, error_subcode]
}

test('/graph takes the token as Bearer, as OAuth, in the query and in a form', {
  rules: ['graph.answers-the-facades-calls', 'graph.token-comes-in-one-place'],
}, async (t) => {
  const { hub, channel, client } = await startFacade(t)
  const { phoneNumberId } = channel.number
  const path = `/graph/v25.0/${phoneNumberId}`
  const form = new URLSearchParams({
    access_token: channel.token,
    messaging_product: 'whatsapp',
    to: newContact(),
    type: 'text',
    text: JSON.stringify({ body: 'Olá' }),
  })

  const answers = [
    await client.get(path),
    await hub.anonymous.with({ authorization: `OAuth ${channel.token}` }).get(path),
    await hub.anonymous.get(`${path}?access_token=${channel.token}`),
    await client.get(`${path}?access_token=${channel.token}`),
    await hub.anonymous.send('POST', `${path}/messages`, {
      raw: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  ]

  for (const answer of answers) assert.equal(answer.status, 200, answer.text)
  assert.equal(answers[0]?.body.id, phoneNumberId)
  assert.match(answers[4]?.body.messages[0].id, /^wamid\./)
})

test('a refusal at /graph has the form of one at Meta', {
  rules: ['graph.failure-is-metas-error-object'],
}, async (t) => {
  const { hub, client } = await startFacade(t)

  const missing = await hub.anonymous.get('/graph/1')
  const foreign = await client.get('/graph/1')

  assert.deepEqual(toError(missing), [401, 190])
  assert.deepEqual(toError(foreign), [400, 100, 33])
  for (const { body, headers } of [missing, foreign]) {
    assert.deepEqual(Object.keys(body), ['error'])
    assert.equal(body.error.fbtrace_id, headers.get('x-request-id'))
  }
})
