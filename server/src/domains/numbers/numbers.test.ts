import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Answer, Client } from '../../../test/client.ts'
import { bearer } from '../../../test/hub.ts'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'

const ANA = '5511987650001'
const BIA = '5511987650002'

/** A connected channel, people who have written to it, and a client with the routes of its number. */
async function startNumber(t: TestContext) {
  const fixture = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const { hub, up } = fixture
  const acme = await hub.organization()
  const channel = await fixture.connect(acme)
  const { phoneNumberId } = channel.number
  const path = `/api/v1/channels/${channel.id}`
  const token = await hub.channelToken(acme.organizationId, channel.id, [
    'number:write',
    'channels:read',
    'messages:read',
  ])

  return {
    ...fixture,
    acme,
    channel,
    path,
    token,
    write: (person: string) =>
      up.simulator.control('POST', `/numbers/${phoneNumberId}/customers/${person}/messages`, { type: 'text' }),
    block: (people: unknown, as: Client = acme) => as.post(`${path}/blocked`, { people }),
    unblock: (people: unknown, as: Client = acme) => as.send('DELETE', `${path}/blocked`, { body: { people } }),
    listBlocked: async (query = '') => (await acme.get(`${path}/blocked${query}`)).body.data,
    changes: async () => {
      const { entries } = (await acme.get('/api/v1/audit-log')).body.data
      return (entries as { action: string; details: { setting: string; change: string } }[])
        .filter(({ action }) => action === 'channel.number_changed')
        .map(({ details }) => [details.setting, details.change])
    },
  }
}

function toStatusAndCode({ status, body }: Answer): [number, string | undefined] {
  return [status, body?.error?.code]
}

test('people who wrote are blocked and unblocked, and the others are listed with the reason of the upstream', {
  rules: ['number.block-list-reports-failures'],
}, async (t) => {
  const { write, block, unblock, listBlocked, changes } = await startNumber(t)
  await write(ANA)

  const blocked = await block([`+${ANA}`, BIA])
  const listed = await listBlocked()
  const unblocked = await unblock([ANA, BIA])

  const [entry] = blocked.body.data.blocked
  assert.deepEqual([blocked.status, entry.person, entry.wa_id], [200, `+${ANA}`, ANA])
  assert.deepEqual(
    blocked.body.data.failed.map(({ person, code }: { person: string; code: number }) => [person, code]),
    [[BIA, 131047]],
  )
  assert.match(blocked.body.data.failed[0].title, /24 hours/)
  assert.deepEqual([listed.blocked.map(({ wa_id }: { wa_id: string }) => wa_id), listed.next_cursor], [[ANA], null])
  assert.deepEqual(
    [
      unblocked.status,
      unblocked.body.data.unblocked.map(({ person }: { person: string }) => person),
      unblocked.body.data.failed.map(({ person }: { person: string }) => person),
    ],
    [200, [ANA], [BIA]],
  )
  assert.deepEqual((await listBlocked()).blocked, [])
  assert.deepEqual(await changes(), [
    ['block_users', 'deleted'],
    ['block_users', 'set'],
  ])
})

test('a person is blocked by user id, and the list is read in pages', {
  rules: ['number.block-list-reports-failures'],
}, async (t) => {
  const { acme, path, write, block, listBlocked } = await startNumber(t)
  const people = [ANA, BIA, '5511987650003']
  for (const person of people) await write(person)
  const { messages } = (await acme.get(`${path}/messages`)).body.data
  const userId: string = messages[0].contact.user_id

  const byId = await block([userId])
  await block(people.slice(0, 2))
  const first = await listBlocked('?limit=2')
  const second = await listBlocked(`?limit=2&cursor=${first.next_cursor}`)

  assert.deepEqual(
    byId.body.data.blocked.map(({ person, user_id }: { person: string; user_id: string }) => [person, user_id]),
    [[userId, userId]],
  )
  assert.deepEqual([first.blocked.length, second.blocked.length, second.next_cursor], [2, 1, null])
  const listed = [...first.blocked, ...second.blocked].map(({ wa_id }) => wa_id)
  assert.deepEqual(listed.toSorted(), people)
})

test('a block that changes nothing leaves no audit entry, and no entry names a person', {
  rules: ['number.change-is-audited-without-people'],
}, async (t) => {
  const { acme, write, block, changes } = await startNumber(t)
  const none = await block([BIA])
  const before = await changes()
  await write(ANA)

  await block([ANA])

  assert.deepEqual([none.status, none.body.data.blocked, before], [200, [], []])
  assert.deepEqual(await changes(), [['block_users', 'set']])
  assert.ok(!(await acme.get('/api/v1/audit-log')).text.includes(ANA))
})

test('people are phone numbers or user ids, each once, at most fifty', {
  rules: ['number.block-list-reports-failures'],
}, async (t) => {
  const { block, unblock } = await startNumber(t)
  const many = Array.from({ length: 51 }, (_, i) => String(5511987650000 + i))

  const refused = [
    await block([]),
    await block(many),
    await block([ANA, ANA]),
    await block(['ana']),
    await block(ANA),
    await unblock(['../x']),
    await unblock(undefined),
  ]

  for (const answer of refused) assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'])
})

test('a QR code is created, listed, changed and deleted', { rules: ['number.qr-codes-are-managed'] }, async (t) => {
  const { acme, path, changes } = await startNumber(t)

  const created = await acme.post(`${path}/qr-codes`, { prefilled_message: 'Olá! 🍞', image: 'png' })
  const { code, qr_image_url } = created.body.data.qr_code
  const plain = await acme.post(`${path}/qr-codes`, { prefilled_message: 'Cardápio' })
  const changed = await acme.patch(`${path}/qr-codes/${code}`, { prefilled_message: 'Quero um pão' })
  const listed = await acme.get(`${path}/qr-codes?image=svg`)
  const deleted = await acme.delete(`${path}/qr-codes/${code}`)
  const again = await acme.delete(`${path}/qr-codes/${code}`)
  const unknown = await acme.patch(`${path}/qr-codes/nope`, { prefilled_message: 'Quero um pão' })

  assert.deepEqual([created.status, created.body.data.qr_code.prefilled_message], [201, 'Olá! 🍞'])
  assert.match(created.body.data.qr_code.deep_link_url, new RegExp(`/${code}$`))
  assert.match(qr_image_url, /\.png$/)
  assert.equal(plain.body.data.qr_code.qr_image_url, null)
  assert.deepEqual([changed.status, changed.body.data.qr_code.code], [200, code])
  const shown: { prefilled_message: string; qr_image_url: string }[] = listed.body.data.qr_codes
  assert.deepEqual(shown.map(({ prefilled_message }) => prefilled_message).toSorted(), ['Cardápio', 'Quero um pão'])
  assert.ok(shown.every(({ qr_image_url: url }) => url.endsWith('.svg')))
  assert.equal(listed.body.data.next_cursor, null)
  assert.deepEqual([deleted.status, deleted.body.data], [200, { code, deleted: true }])
  for (const answer of [again, unknown]) assert.deepEqual(toStatusAndCode(answer), [404, 'NOT_FOUND'])
  assert.deepEqual(await changes(), [
    ['message_qrdls', 'deleted'],
    ['message_qrdls', 'set'],
    ['message_qrdls', 'set'],
    ['message_qrdls', 'set'],
  ])
})

test('the text of a QR code has 1 to 140 characters, and its code letters and digits', {
  rules: ['number.qr-codes-are-managed'],
}, async (t) => {
  const { acme, path } = await startNumber(t)
  const save = (body: object) => acme.post(`${path}/qr-codes`, body)

  const refused = [
    await save({ prefilled_message: '' }),
    await save({ prefilled_message: ' \n ' }),
    await save({ prefilled_message: 'x'.repeat(141) }),
    await save({ prefilled_message: 'x', image: 'gif' }),
    await save({ prefilled_message: 'x', code: 'ABC' }),
    await acme.patch(`${path}/qr-codes/ABC`, {}),
    await acme.delete(`${path}/qr-codes/a-b`),
  ]
  const longest = await save({ prefilled_message: 'x'.repeat(140) })

  for (const answer of refused) assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'])
  assert.equal(longest.status, 201, longest.text)
})

test("a number's username is set, read and given back, and one that is taken is the upstream's refusal", {
  rules: ['number.username-is-managed'],
}, async (t) => {
  const { acme, path, connect, changes } = await startNumber(t)
  const other = await connect(acme)
  const read = async () => (await acme.get(`${path}/username`)).body.data.username

  const before = await read()
  const set = await acme.put(`${path}/username`, { username: 'padaria.central' })
  const after = await read()
  const taken = await acme.put(`/api/v1/channels/${other.id}/username`, { username: 'Padaria.Central' })
  const invalid = await acme.put(`${path}/username`, { username: 'a b' })
  const deleted = await acme.delete(`${path}/username`)

  assert.deepEqual(before, { username: null, status: null })
  assert.deepEqual([set.status, set.body.data.username], [200, { username: 'padaria.central', status: 'approved' }])
  assert.deepEqual(after, { username: 'padaria.central', status: 'approved' })
  assert.deepEqual(toStatusAndCode(taken), [400, 'UPSTREAM_REJECTED'])
  assert.equal(taken.body.error.details.code, 147001)
  assert.deepEqual(toStatusAndCode(invalid), [400, 'INVALID_REQUEST'])
  assert.deepEqual([deleted.status, deleted.body.data.username], [200, { username: null, status: null }])
  assert.deepEqual(await read(), { username: null, status: null })
  assert.deepEqual(await changes(), [
    ['username', 'deleted'],
    ['username', 'set'],
  ])
})

test("a channel token changes its own number if it has the scope, and another organization's channel is not found", {
  rules: ['number.change-is-audited-without-people'],
}, async (t) => {
  const { hub, acme, channel, path, token, connect, write, block } = await startNumber(t)
  const globex = await hub.organization()
  const sibling = await connect(acme)
  const weak = hub.anonymous.with(bearer(channel.token))
  await write(ANA)

  const answers = [
    await block([ANA], token),
    await block([ANA], weak),
    await block([ANA], globex),
    await token.get(`/api/v1/channels/${sibling.id}/blocked`),
    await globex.get(`${path}/username`),
    await globex.put(`${path}/username`, { username: 'globex' }),
    await globex.post(`${path}/qr-codes`, { prefilled_message: 'x' }),
  ]

  assert.deepEqual(answers.map(toStatusAndCode), [
    [200, undefined],
    [403, 'INSUFFICIENT_SCOPE'],
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ])
})

test('a channel that is not connected has no number to change, and a refused credential disconnects', {
  rules: ['number.change-is-audited-without-people'],
}, async (t) => {
  const { acme, path, fault } = await startNumber(t)
  const pending = await acme.post('/api/v1/channels', { name: 'Filial' })
  const unconnected = await acme.get(`/api/v1/channels/${pending.body.data.channel.id}/username`)
  await fault('error', '/username', { code: 190 })

  const refused = await acme.get(`${path}/username`)

  assert.deepEqual([unconnected, refused].map(toStatusAndCode), [
    [400, 'CHANNEL_NOT_CONNECTED'],
    [400, 'CHANNEL_NOT_CONNECTED'],
  ])
  assert.equal((await acme.get(path)).body.data.channel.status, 'disconnected')
})
