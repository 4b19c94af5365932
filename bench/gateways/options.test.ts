import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGatewayPaths } from './options.ts'

test('a path without a program is refused with a sentence that names the option', () => {
  for (const path of ['/nowhere/outpost', '/tmp', import.meta.filename]) {
    const refused = readGatewayPaths({ outpost: path })
    assert.ok(typeof refused === 'string')
    assert.match(
      refused,
      /^--outpost is the path of a program, and there is none at ".+": docs\/benchmark-gateways\.md says/,
    )
  }
})

test('the paths of programs are taken, and a gateway without one is left out', () => {
  assert.deepEqual(readGatewayPaths({ outpost: undefined, svix: process.execPath }), { svix: process.execPath })
  assert.deepEqual(readGatewayPaths({}), {})
})
