import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ROUTES, SCOPES } from '../../api/generated/routes.gen.ts'
import { findPreset, listPreset, listRoutes, PRESETS, RESOURCES } from './scopes.ts'

const NAMED = PRESETS.filter((preset) => preset !== 'custom')
const subsets = fc.shuffledSubarray([...SCOPES])

test('a preset never grants what the person may not grant', () => {
  fc.assert(
    fc.property(subsets, fc.constantFrom(...NAMED), (granted, preset) => {
      assert.ok(listPreset(preset, granted).every((scope) => granted.includes(scope)))
    }),
  )
})

test('the scopes of a preset are known as that preset, in any order', () => {
  for (const preset of NAMED) {
    assert.equal(findPreset(listPreset(preset, SCOPES), SCOPES), preset)
    assert.equal(findPreset(listPreset(preset, SCOPES).toReversed(), SCOPES), preset)
  }
  assert.equal(findPreset(['messages:send'], SCOPES), 'custom')
  assert.equal(findPreset([], SCOPES), 'custom')
})

test('the reading preset writes nothing', () => {
  assert.ok(listPreset('read', SCOPES).every((scope) => scope.endsWith(':read')))
  assert.deepEqual(listPreset('full', SCOPES), SCOPES)
})

test('every scope stands once in the table of resources', () => {
  const listed = RESOURCES.flatMap(({ read, write }) => [read, write].filter((scope) => scope !== undefined))

  assert.deepEqual(listed.toSorted(), SCOPES.toSorted())
})

test('more scopes never close a route, and all scopes open all', () => {
  assert.equal(listRoutes(SCOPES).length, ROUTES.length)
  fc.assert(
    fc.property(subsets, subsets, (some, others) => {
      const more = listRoutes([...some, ...others])
      assert.ok(listRoutes(some).every((route) => more.includes(route)))
    }),
  )
})

test('a route that needs two scopes is open with both only', () => {
  const isListener = ({ path, method }: { path: string; method: string }) =>
    method === 'POST' && path === '/api/v1/listeners'

  assert.ok(!listRoutes(['webhooks:write']).some(isListener))
  assert.ok(listRoutes(['webhooks:write', 'messages:read']).some(isListener))
})
