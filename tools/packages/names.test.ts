import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeRepository } from '../test/repository.ts'
import { checkPublishedNames } from './names.ts'

const REFUSED = [
  'npm install @hubline/sdk',
  'npm i -g hubline',
  'npm exec --yes hubline',
  'Run `npx hubline listen`',
  'npx @hubline/server',
  'docker pull example.com/hubline',
  '    image: hubline:0.1.0',
]
const ACCEPTED = [
  'npm install <clone>/packages/hubline-sdk-0.1.0.tgz',
  'In a clone npx hubline runs it',
  'npm install openapi-fetch',
  'hubline listen',
]

for (const line of REFUSED) {
  test(`a page with ${line} fails while nothing is published`, (t) => {
    const root = writeRepository(t, { 'docs/guides/a.md': line })

    assert.equal(checkPublishedNames(root, false).length, 1)
    assert.deepEqual(checkPublishedNames(root, true), [])
  })
}

test('files, clones, packages of others and the program itself may be named', (t) => {
  const root = writeRepository(t, { 'docs/guides/a.md': ACCEPTED.join('\n'), 'README.md': 'npx hubline' })

  assert.deepEqual(checkPublishedNames(root, false), [])
})
