import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONTROL_ROUTES } from './serve.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The paths of the curl examples, with a star for each id. */
const SHOWN = new Set(
  [...README.matchAll(/\$S(\/[^\s"'?`]*)?/g)].map(([, path = '/']) =>
    path.replace(/\/(\$\w+|wamid[^/]*|wacid[^/]*|webhook-\d+|fault-\d+|\d+)(?=\/|$)/g, '/*'),
  ),
)

test('the README shows every path of the control API and no other', () => {
  const real = new Set(CONTROL_ROUTES.map(({ path }) => path.replace(/:\w+/g, '*')))

  assert.deepEqual([...SHOWN].sort(), [...real].sort())
})
