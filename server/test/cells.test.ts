import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newToken, type TokenKind } from '../src/kernel/crypto/tokens.ts'
import type { Client } from './client.ts'
import { bearer, startHub } from './hub.ts'

const MARK = 'br01'

/** A token of each kind that a person or a program is given, by the hub's own routes. */
async function collectTokens(ana: Client): Promise<Record<string, string>> {
  const create = async (path: string, body?: object) => {
    const answer = await ana.post(path, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body.data
  }
  const { channel } = await create('/api/v1/channels', { name: 'Padaria' })
  const { secret } = await create('/api/v1/api-keys', { name: 'ci', scopes: ['channels:read'] })
  const { connect_url } = await create(`/api/v1/channels/${channel.id}/connect-link`)
  const { invitation_url } = await create('/console/invitations', { email: 'bia@example.com', role: 'viewer' })
  return { key: secret, token: channel.token, link: lastPart(connect_url), invitation: lastPart(invitation_url) }
}

function lastPart(url: string): string {
  return url.split('/').at(-1) ?? ''
}

test('the tokens of a hub with CELL carry its mark, and those of a hub without have none', {
  rules: ['auth.cell-mark-begins-credentials'],
}, async (t) => {
  const cell = await startHub(t, { env: { CELL: MARK } })
  const plain = await startHub(t)
  const [ana, bia] = [await cell.person(), await plain.person()]

  const marked = await collectTokens(ana)
  const unmarked = await collectTokens(bia)

  for (const [name, token] of Object.entries({ ...marked, session: lastPart(ana.cookie.replace('=', '/')) })) {
    assert.match(token, /^hub_[a-z]{2}_br01[0-9A-Za-z]{45}$/, name)
  }
  for (const [name, token] of Object.entries(unmarked)) assert.doesNotMatch(token, /^hub_[a-z]{2}_br01/, name)
  assert.equal((await cell.anonymous.with(bearer(marked.key ?? '')).get('/api/v1/channels')).status, 200)
  assert.equal((await cell.anonymous.get(`/api/v1/connect/${marked.link}`)).status, 200)
})

test('tokens of before CELL keep working, and those of another cell are as unknown as any', {
  rules: ['auth.foreign-cell-mark-does-not-matter'],
}, async (t) => {
  const hub = await startHub(t)
  const { key = '' } = await collectTokens(await hub.person())
  // On the same database, as after a restart.
  const cell = await startHub(t, { env: { CELL: MARK } })
  const foreign = (kind: TokenKind) => newToken(kind, 'us02')

  const before = await cell.anonymous.with(bearer(key)).get('/api/v1/channels')
  const others = [
    await cell.anonymous.with(bearer(foreign('api_key'))).get('/api/v1/channels'),
    await cell.anonymous.with(bearer(foreign('channel_token'))).get('/upstream/1'),
    await cell.anonymous.with({ cookie: `hub_session=${foreign('session')}` }).get('/console/session'),
    await cell.anonymous.get(`/api/v1/connect/${foreign('connect_link')}`),
    await cell.anonymous.get(`/console/join/${foreign('invitation')}`),
  ]

  assert.equal(before.status, 200)
  assert.deepEqual(
    others.map(({ status }) => status),
    [401, 401, 401, 404, 404],
  )
})
