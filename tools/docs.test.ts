import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocs } from './docs.ts'
import { writeRepository } from './test/repository.ts'

/** Apart from the anchor, so that the check does not read this file as a pointer. */
const GAPS = 'spec-gaps.md'

test('the documents name files, link to pages and point to anchors that exist', (t) => {
  const root = writeRepository(t, {
    'server/src/kernel/ids.ts': `/** The reason is in ${GAPS}#identifiers, not in ${GAPS}#absent. */`,
    'docs/spec-gaps.md': '| <a id="identifiers"></a>identifiers |',
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
    `server/src/kernel/ids.ts points to ${GAPS}#absent, which does not exist.`,
  ])
})
