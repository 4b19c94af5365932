import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { en as CHECKS } from '@hubline/locales/checks/en.ts'
import { en as ISSUES } from '@hubline/locales/issues/en.ts'
import { parseSync } from 'oxc-parser'
import { ERROR_STATUS, type ErrorCode, SENTENCES } from '../src/kernel/errors.ts'
import { fillText } from '../src/kernel/pages/fill-text.ts'
import { startHub } from './hub.ts'

const SOURCES = join(import.meta.dirname, '../src')

type Node = { type: string; value?: unknown; quasis?: { value: { cooked: string } }[] }

/** The texts in the code of the hub, and the patterns of its template literals. */
function listTexts(): { texts: Set<unknown>; patterns: RegExp[] } {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const texts = new Set<unknown>()
  const templates = new Set<string>()
  for (const name of files) {
    const open: unknown[] = [parseSync(name, readFileSync(join(SOURCES, name), 'utf8')).program]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node !== 'object' || node === null) continue
      const { type, value, quasis } = node as Node
      if (type === 'Literal') texts.add(value)
      if (type === 'TemplateLiteral' && quasis) templates.add(quasis.map((part) => part.value.cooked).join('\0'))
      open.push(...Object.values(node))
    }
  }
  const named = [...templates].filter((text) => /^[a-z_\0]*_[a-z_\0]*$/.test(text) && text.includes('\0'))
  return { texts, patterns: named.map((text) => new RegExp(`^${text.replaceAll('\0', '[a-z_]+')}$`)) }
}

test('every reason of the lists is one that the code of the hub names', {
  rules: ['error.every-reason-can-occur'],
}, () => {
  const { texts, patterns } = listTexts()
  const reasons = [
    ...Object.values(SENTENCES).flatMap((sentences) => Object.keys(sentences)),
    ...Object.keys(ISSUES).map((key) => key.replace(/_(one|other)$/, '')),
    ...Object.keys(CHECKS.found),
  ]

  const unused = reasons.filter((reason) => !texts.has(reason) && !patterns.some((pattern) => pattern.test(reason)))

  assert.deepEqual(unused, [])
})

test('every code has reasons, in snake_case, and every remedy is that of a reason', {
  rules: ['error.has-a-reason-and-parameters'],
}, () => {
  assert.deepEqual(Object.keys(SENTENCES).toSorted(), Object.keys(ERROR_STATUS).toSorted())
  for (const sentences of Object.values(SENTENCES)) {
    assert.ok(Object.keys(sentences).length > 0)
    for (const reason of Object.keys(sentences)) assert.match(reason, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
  }
  for (const reason of Object.keys(CHECKS.remedies)) assert.ok(reason in CHECKS.found, reason)
})

test('an error has the sentence of its reason with its parameters, and so has each issue', {
  rules: ['error.has-a-reason-and-parameters', 'error.message-is-that-of-its-reason', 'error.each-issue-has-a-reason'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['webhooks:write', 'audit:read'])

  const answers = [
    await acme.get('/api/v1/audit-log?limit=0'),
    await acme.post('/api/v1/webhooks', { name: '' }),
    await acme.post('/api/v1/webhooks', { name: 'a', url: 'http://example.com/hooks', all_channels: true }),
    await acme.get('/api/v1/channels'),
    await acme.get('/api/v1/nowhere'),
    await hub.anonymous.get('/api/v1/usage'),
  ]

  for (const { body } of answers) {
    const { code, message, details } = body.error
    assert.equal(message, fillText(SENTENCES[code as ErrorCode][details.reason] ?? '', details.parameters))
  }
  assert.deepEqual(
    answers.map(({ body }) => body.error.details.reason),
    ['query_invalid', 'body_invalid', 'url_not_https', 'scope_missing', 'path_not_found', 'credential_missing'],
  )
  assert.deepEqual(answers[0]?.body.error.details.issues, [
    { path: '/limit', message: 'must be at least 1', reason: 'too_small', parameters: { minimum: 1 } },
  ])
  assert.deepEqual(answers[1]?.body.error.details.issues[0], {
    path: '/url',
    message: 'is required',
    reason: 'required',
    parameters: {},
  })
})
