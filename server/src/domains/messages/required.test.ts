import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey, startSending, text, told } from './test/scene.ts'

test('a message without a recipient or without a type is 400 that names what is missing, and is not sent', {
  rules: ['MSG-02', 'MSG-04'],
}, async (t) => {
  const { send, asked, log } = await startSending(t)
  const key = newKey()
  const whole = text()
  const { to, type, text: content } = whole

  const answers = [
    await send({ key, body: { type, text: content } }),
    await send({ key, body: { to, text: content } }),
    await send({ key, body: { to: null, type, text: content } }),
    await send({ key, body: { to, type: null, text: content } }),
  ]

  for (const answer of answers) assert.deepEqual(told(answer), [400, 'INVALID_REQUEST'])
  assert.deepEqual(
    answers.map(({ body }) => body.error.details.issues[0].path),
    ['/to', '/type', '/to', '/type'],
  )
  assert.deepEqual([await asked(), await log()], [[], []])
  assert.equal((await send({ key, body: whole })).status, 202)
})
