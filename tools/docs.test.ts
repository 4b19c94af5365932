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
