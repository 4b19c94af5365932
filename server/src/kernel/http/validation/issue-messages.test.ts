import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { en as ISSUES } from '@hubline/locales/issues/en.ts'
import { startHub } from '../../../../test/hub.ts'
import { findPatternReason } from './patterns.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

test('an invalid value is refused with its place and what to send instead', {
  rules: ['error.message-says-what-to-change'],
}, async (t) => {
  const { organization } = await startHub(t)
  const acme = await organization()
  const channel = '/api/v1/channels/01980000-0000-7000-8000-000000000001'
  const template = { name: 'ready', language: 'pt_BR', category: 'UTILITY', components: [] }
  const message = { to: '5511987654321', type: 'text', text: { body: 'Oi' } }
  const sendWith = (key: string, body: object) =>
    acme.post(`${channel}/messages`, body, { headers: { 'idempotency-key': key } })

  const answers = [
    await sendWith('short', message),
    await sendWith('a-long-key', { ...message, to: '+55 11 98765-4321' }),
    await acme.post(`${channel}/templates`, { ...template, category: 'UTILIDADE' }),
    await acme.post(`${channel}/templates`, { ...template, name: 'Pronto!' }),
    await acme.put(`${channel}/username`, { username: 'ab' }),
    await acme.patch(channel, {}),
    await acme.get('/api/v1/audit-log?limit=0'),
    await acme.get('/api/v1/audit-log?since=yesterday'),
    await acme.get('/api/v1/channels/7'),
  ]

  assert.deepEqual(
    answers.map(({ body }) => body.error.message),
    [
      'The headers are invalid: /idempotency-key must have at least 8 characters.',
      'The body is invalid: /to must be a phone number with its country code, digits only, such as 5511987654321.',
      'The body is invalid: /category must be AUTHENTICATION, MARKETING or UTILITY, in upper or lower case.',
      'The body is invalid: /name must be 1 to 512 lower-case letters, digits and underscores.',
      'The body is invalid: /username must be 3 to 35 letters, digits, periods and underscores.',
      'The body is invalid: / must have at least 1 property.',
      'The query is invalid: /limit must be at least 1.',
      'The query is invalid: /since must be a time such as 2026-01-31T12:00:00Z.',
      'The path is invalid: /id must be a UUID.',
    ],
  )
})

test('a value that matches no pattern is refused with the reason of the pattern, whose sentence every language has', {
  rules: ['error.each-issue-has-a-reason'],
}, async (t) => {
  const { organization } = await startHub(t)
  const acme = await organization()
  const path = '/api/v1/channels/01980000-0000-7000-8000-000000000001'
  const index = { type: 'button', sub_type: 'url', index: true }
  const template = { name: 'ready', language: { code: 'pt_BR' }, components: [index] }

  const answers = [
    await acme.post(`${path}/blocked`, { people: ['ana'] }),
    await acme.post('/api/v1/listeners', { event_types: [], payload_mode: 'normalized', secret: 'whsec_short' }),
    await acme.post(
      `${path}/messages`,
      { to: '5511987654321', type: 'template', template },
      { headers: { 'idempotency-key': 'a-template' } },
    ),
    await acme.get(`${path}/media/a`),
  ]

  assert.deepEqual(
    answers.map(({ body }) => {
      const [{ message, reason, parameters }] = body.error.details.issues
      return [message, reason, parameters]
    }),
    [
      [ISSUES.not_person, 'not_person', {}],
      [ISSUES.not_listener_secret, 'not_listener_secret', {}],
      [ISSUES.not_button_index, 'not_button_index', {}],
      [ISSUES.not_upstream_id, 'not_upstream_id', {}],
    ],
  )
})

test('every pattern of a request has a reason', { rules: ['error.each-issue-has-a-reason'] }, async () => {
  const patterns: string[] = []
  for (const file of ['openapi.json', 'openapi-console.json']) {
    const { paths, components } = JSON.parse(await readFile(join(ROOT, file), 'utf8')) as Record<string, object>
    JSON.stringify({ paths, components }, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value)
      return value
    })
  }

  assert.ok(patterns.length > 20)
  assert.deepEqual(
    patterns.filter((pattern) => findPatternReason(pattern) === undefined),
    [],
  )
})

test('the members of which one has to be given are a list without words, so that it can be translated', async (t) => {
  const { organization } = await startHub(t)
  const acme = await organization()
  const path = '/api/v1/channels/01980000-0000-7000-8000-000000000001/messages'
  const send = async (image: object) => {
    const message = { to: '5511987654321', type: 'image', image }
    const { body } = await acme.post(path, message, { headers: { 'idempotency-key': 'an-image' } })
    return body.error.details.issues[0]
  }

  const both = await send({ id: '1', link: 'https://example.com/a.png' })
  const none = await send({})

  const parameters = { members: 'id, link' }
  assert.deepEqual(both, {
    path: '/image',
    message: 'must have only one of id, link',
    reason: 'both_given',
    parameters,
  })
  assert.deepEqual(none, { path: '/image', message: 'must have one of id, link', reason: 'none_given', parameters })
})
