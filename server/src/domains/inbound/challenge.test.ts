import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'

const CHALLENGE = '1158201444'

async function startDoor(t: TestContext) {
  const { hub, up } = await startHubWithUpstream(t)
  const { verifyToken } = up.simulator
  const right = { 'hub.mode': 'subscribe', 'hub.challenge': CHALLENGE, 'hub.verify_token': verifyToken }
  function ask(query: Record<string, string>) {
    return hub.anonymous.get(`/hooks/upstream?${new URLSearchParams(query)}`)
  }
  return { right, ask, hub }
}

test('the challenge comes back as plain text where the verify token is right', { rules: ['D8-01'] }, async (t) => {
  const { right, ask } = await startDoor(t)

  const answer = await ask(right)

  assert.equal(answer.status, 200)
  assert.equal(answer.text, CHALLENGE)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
})

test('a challenge of any characters comes back as it was', async (t) => {
  const { right, ask } = await startDoor(t)

  const answer = await ask({ ...right, 'hub.challenge': '<b>olá & "tchau"</b> {}' })

  assert.equal(answer.text, '<b>olá & "tchau"</b> {}')
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
})

for (const [what, spoiled] of Object.entries<Record<string, string | undefined>>({
  'another token': { 'hub.verify_token': 'guess' },
  'an empty token': { 'hub.verify_token': '' },
  'no token': { 'hub.verify_token': undefined },
  'another mode': { 'hub.mode': 'unsubscribe' },
  'no mode': { 'hub.mode': undefined },
  'no challenge': { 'hub.challenge': undefined },
  'an empty challenge': { 'hub.challenge': '' },
})) {
  test(`a question with ${what} is refused, and hears no challenge`, { rules: ['D8-01'] }, async (t) => {
    const { right, ask } = await startDoor(t)
    const given = Object.entries({ ...right, ...spoiled }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    )

    const answer = await ask(Object.fromEntries(given))

    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'UNAUTHORIZED')
    assert.ok(!answer.text.includes(CHALLENGE))
  })
}

test('a question that names a token twice is refused', async (t) => {
  const { right, hub } = await startDoor(t)
  const query = `${new URLSearchParams(right)}&hub.verify_token=guess`

  const answer = await hub.anonymous.get(`/hooks/upstream?${query}`)

  assert.equal(answer.status, 400)
})

test('a question never lets the verify token reach the log', async (t) => {
  const { right, ask, hub } = await startDoor(t)

  await ask(right)

  assert.ok(!hub.logs.join('').includes(right['hub.verify_token']))
})
