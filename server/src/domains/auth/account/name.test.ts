import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../../test/hub.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

async function listRenames(person: Person) {
  const log = await person.get('/api/v1/audit-log?action=user.updated')
  return log.body.data.entries as { details: object; actor: { name: string }; target: object }[]
}

test('a person of any role changes the own name, which every member sees', {
  rules: ['member.account-name-is-changed-by-its-person'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const viewer = await hub.person({ organizationId: owner.organizationId, role: 'viewer' })
  const before = (await viewer.get('/console/session')).body.data

  const changed = await viewer.patch('/console/account', { name: 'Bia Souza' })

  assert.equal(changed.status, 200)
  assert.deepEqual(changed.body.data, { ...before, user: { ...before.user, name: 'Bia Souza' } })
  const { members } = (await owner.get('/console/members')).body.data
  assert.ok(members.some(({ name }: { name: string }) => name === 'Bia Souza'))
  assert.notEqual((await owner.get('/console/session')).body.data.user.name, 'Bia Souza')
})

test('the audit log has the name before and after, once, and the same name again is no change', {
  rules: ['member.account-name-is-changed-by-its-person'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { name } = (await ana.get('/console/session')).body.data.user

  await ana.patch('/console/account', { name: 'Ana Maria' })
  await ana.patch('/console/account', { name: 'Ana Maria' })

  const entries = await listRenames(ana)
  assert.deepEqual(
    entries.map(({ details, actor, target }) => [details, actor.name, target]),
    [[{ changes: { name: { from: name, to: 'Ana Maria' } } }, name, { type: 'user', id: ana.userId }]],
  )
})

test('concurrent changes of a name follow from one another in the audit log', {
  rules: ['member.account-name-is-changed-by-its-person'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const names = ['a', 'b', 'c', 'd']

  const answers = await Promise.all(names.map((name) => ana.patch('/console/account', { name })))

  assert.ok(answers.every(({ status }) => status === 200))
  const changes = (await listRenames(ana)).map(({ details }) => (details as { changes: { name: object } }).changes.name)
  const [last, ...earlier] = changes as { from: string; to: string }[]
  assert.equal(last?.to, (await ana.get('/console/session')).body.data.user.name)
  assert.equal(new Set([last, ...earlier].map((change) => change?.from)).size, names.length)
})

for (const [what, body] of Object.entries({
  'that is blank': { name: ' ' },
  'of two lines': { name: 'Ana\nBia' },
  'that turns the direction of a text': { name: 'Ana\u202Egpj.exe' },
  'that is too long': { name: 'x'.repeat(101) },
  'of another type': { name: 7 },
  'beside an e-mail': { name: 'Ana', email: 'eve@example.com' },
  'that is missing': {},
})) {
  test(`a name ${what} is refused`, {
    rules: ['member.account-name-is-changed-by-its-person', 'member.names-have-no-control-characters'],
  }, async (t) => {
    const hub = await startHub(t)
    const ana = await hub.person()
    const before = (await ana.get('/console/session')).body.data

    const refused = await ana.patch('/console/account', body)

    assert.deepEqual([refused.status, refused.body.error?.code], [400, 'INVALID_REQUEST'])
    assert.deepEqual((await ana.get('/console/session')).body.data, before)
  })
}
