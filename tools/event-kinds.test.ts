import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EVENT_KINDS } from '../server/src/domains/events/catalog.ts'
import { generateEventKinds } from './event-kinds.ts'
import { generateEventSamples } from './event-samples.ts'

const root = join(import.meta.dirname, '..')

test('the guide lists every kind of event as the catalog has it', { rules: ['event.guide-lists-every-kind'] }, () => {
  const guide = readFileSync(join(root, 'docs/guides/webhooks.md'), 'utf8')

  assert.equal(generateEventKinds(root)['docs/guides/webhooks.md'], guide)
  for (const [kind, text] of Object.entries(EVENT_KINDS)) assert.ok(guide.includes(`| \`${kind}\` | ${text} |`), kind)
})

test('the guide of samples has one of every kind of event, in its envelope', {
  rules: ['event.guide-lists-every-kind'],
}, () => {
  const [guide = ''] = Object.values(generateEventSamples(readFileSync(join(root, 'openapi.json'), 'utf8')))
  const samples = [...guide.matchAll(/^## (\S+)\n\n.*\n\n```json\n([\s\S]*?)\n```$/gm)]

  assert.deepEqual(
    samples.map(([, kind]) => kind),
    Object.keys(EVENT_KINDS),
  )
  for (const [, kind = '', sample = ''] of samples) {
    const { event } = JSON.parse(sample)
    assert.equal(event, kind === 'upstream.raw' ? undefined : kind)
  }
})
