import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MESSAGE_TYPES, type MessageBody, toContent } from './message-body.ts'
import { changed, GONE } from './test/change.ts'
import { EXAMPLES, PASSED_ON } from './test/examples.ts'
import { judge } from './test/judge.ts'
import {
  assertAccepted,
  assertRefused,
  testAcceptances,
  testLengths,
  testRefusals,
  testRequired,
} from './test/tables.ts'

for (const [name, body] of Object.entries(EXAMPLES)) {
  test(`the documented message "${name}" is accepted unchanged`, { rules: ['send.invalid-body-is-400'] }, () =>
    assertAccepted(body, name),
  )
}

for (const [name, body] of Object.entries(PASSED_ON)) {
  test(
    `members that only the upstream knows are accepted unchanged: ${name}`,
    { rules: ['send.unknown-shapes-pass'] },
    () => assertAccepted(body, name),
  )
}

test('every type of message has an example', () => {
  const types = new Set(Object.values(EXAMPLES).map(({ type }) => type))

  assert.deepEqual([...types].sort(), [...MESSAGE_TYPES].sort())
})

test('the recipient is 8 to 15 digits without a leading 0', async () => {
  for (const to of ['12345678', '123456789012345', '5511987654321']) {
    await assertAccepted({ ...EXAMPLES.text, to }, to)
  }
  const wrong = [
    '',
    '1234567',
    '1234567890123456',
    '01234567',
    '+5511987654321',
    '55 11 98765',
    '12345678\n',
    '１２３４５６７８',
  ]
  for (const to of [...wrong, 5511987654321, null]) {
    await assertRefused({ ...EXAMPLES.text, to }, '/to', String(to))
  }
})

testRequired('a message', [
  ['text', '/to'],
  ['text', '/type'],
])

test('a type outside the list is refused', async () => {
  for (const type of ['', 'TEXT', 'poll', 'toString', 7, ['text']]) {
    await assertRefused({ ...EXAMPLES.text, type }, '/type', String(type))
  }
})

test('a message without the member that its type names is refused, for every type', {
  rules: ['send.goes-through-a-channel'],
}, async () => {
  for (const type of MESSAGE_TYPES) {
    await assertRefused({ to: '12345678', type }, `/${type}`, type)
  }
})

test('a message with a member that its type does not name is refused, for every pair of types', {
  rules: ['send.goes-through-a-channel'],
}, async () => {
  const bodies = MESSAGE_TYPES.map((type) => Object.values(EXAMPLES).find((body) => body.type === type)!)

  for (const body of bodies) {
    for (const other of bodies.filter((candidate) => candidate !== body)) {
      const both = { ...other, ...body }
      await assertRefused(both, `/${other.type}`, `${body.type} with ${other.type}`)
    }
  }
})

test('a member of another type in place of the required one is reported as two issues', async () => {
  const { issues } = await judge({ ...EXAMPLES.text, type: 'image' })

  assert.partialDeepStrictEqual(issues, [
    { path: '/image', message: 'is required' },
    { path: '/text', message: 'is not a known property' },
  ])
})

test('the content of a message is an object, and of contacts a list', {
  rules: ['send.goes-through-a-channel'],
}, async () => {
  for (const type of MESSAGE_TYPES) {
    const wrong = type === 'contacts' ? [{}, 'x', null] : [[], 'x', null]
    for (const content of wrong) await assertRefused({ to: '12345678', type, [type]: content }, `/${type}`, type)
  }
})

test('a body that is not an object is refused', async () => {
  await assertRefused([], '', 'a list')
})

testLengths('a text message', [['text', '/text/body', 1, 4096]])
testRequired('a text or a reaction', [
  ['text', '/text/body'],
  ['reaction', '/reaction/message_id'],
  ['reaction', '/reaction/emoji'],
])
testAcceptances('an id of a message of any form', [['reaction', '/reaction/message_id', 'x']])
testRefusals('a member of a text or a reaction that is of another kind', [
  ['text', '/text/preview_url', 'true'],
  ['text', '/text/preview_url', 1],
  ['reaction', '/reaction/message_id', ''],
  ['reaction', '/reaction/message_id', 7],
  ['reaction', '/reaction/emoji', 7],
])

test("a mistake inside a message is reported at its path with the validator's message", async () => {
  const long = 'x'.repeat(21)
  const cases: [body: unknown, path: string, message: string][] = [
    [changed(EXAMPLES.text, '/text/body', ''), '/text/body', 'must have at least 1 character'],
    [
      changed(EXAMPLES.button, '/interactive/action/buttons/0/reply/title', long),
      '/interactive/action/buttons/0/reply/title',
      'must have at most 20 characters',
    ],
    [changed(EXAMPLES.button, '/interactive/body', GONE), '/interactive/body', 'is required'],
    [changed(EXAMPLES.flow, '/interactive/action/name', 'x'), '/interactive/action/name', 'must be flow'],
  ]

  for (const [body, path, message] of cases) {
    const { issues } = await judge(body)
    assert.deepEqual(
      issues.map((issue) => [issue.path, issue.message]),
      [[path, message]],
    )
  }
})

test('two mistakes are two issues', async () => {
  const once = changed(EXAMPLES.button, '/interactive/action/buttons/1/reply/id', '')
  const twice = changed(once, '/interactive/footer/text', '')

  const paths = (await judge(twice)).issues.map(({ path }) => path)

  assert.deepEqual(paths.sort(), ['/interactive/action/buttons/1/reply/id', '/interactive/footer/text'])
})

test('the first twenty of more mistakes are reported', async () => {
  const parameters = Array(300).fill({ type: 'text' })

  const { issues } = await judge(
    changed(EXAMPLES['template with text'], '/template/components/0/parameters', parameters),
  )

  assert.equal(issues.length, 20)
})

test('the content of a message is the member that its type names', {
  rules: ['message.entry-is-one-flat-record'],
}, () => {
  for (const [name, body] of Object.entries(EXAMPLES)) {
    const content = toContent(body as MessageBody)

    assert.equal(content, body[body.type as keyof typeof body], name)
  }
})

test('the content of a message without the member that its type names is an error', () => {
  const body = { to: '12345678', type: 'text' } as MessageBody

  assert.throws(() => toContent(body), TypeError)
})
