import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocs } from './docs.ts'
import { writeRepository } from './test/repository.ts'

/** Apart from the anchor, so that the check does not read this file as a pointer. */
const CONTRACT = 'contract.md'

test('the documents name files, link to pages and point to anchors and rules that exist', (t) => {
  const root = writeRepository(t, {
    'server/src/kernel/ids.ts': `/** The reason is in ${CONTRACT}#api.ids-are-uuidv7, not in ${CONTRACT}#api.absent. */`,
    'docs/contract.md': '| api.ids-are-uuidv7 | Ids are UUIDv7. |',
    'docs/a.md': [
      '# First steps, in order',
      'See `kernel/ids.ts`, `kernel/absent.ts` and `ids.ts`.',
      'See [here](a.md#first-steps-in-order), [there](a.md#absent), [outside](https://example.com/a.md) and [up](../b.md).',
    ].join('\n'),
  })

  assert.deepEqual(checkDocs(root), [
    'docs/a.md names kernel/absent.ts, which does not exist.',
    'docs/a.md links to a.md#absent, which does not exist.',
    'docs/a.md links to ../b.md, which does not exist.',
    `server/src/kernel/ids.ts points to ${CONTRACT}#api.absent, which does not exist.`,
  ])
})

test('a decision that the index does not list is an error', (t) => {
  const root = writeRepository(t, {
    'docs/decisions/README.md': '| 1 | [One](0001-one.md) |',
    'docs/decisions/0001-one.md': '# 1. One',
    'docs/decisions/0002-two.md': '# 2. Two',
  })

  assert.deepEqual(checkDocs(root), ['docs/decisions/README.md does not list docs/decisions/0002-two.md.'])
})
