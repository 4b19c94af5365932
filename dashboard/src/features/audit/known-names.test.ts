import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '@hubline/sdk'
import { listNamesOfEntries, sortNames } from './known-names.ts'

const entry = (target: object, actor: object, details: object = {}) => ({ target, actor, details }) as AuditEntry

test('an entry names what was created or deleted, and who did it', () => {
  const entries = [
    entry({ id: 'w1', type: 'webhook' }, { id: 'u1', type: 'user', name: 'Ana' }, { name: 'CRM' }),
    entry({ id: 'w1', type: 'webhook' }, { id: null, type: 'system', name: null }),
  ]

  assert.deepEqual(listNamesOfEntries(entries), {
    targets: [{ id: 'w1', type: 'webhook', name: 'CRM' }],
    actors: [{ id: 'u1', type: 'user', name: 'Ana' }],
  })
})

test('a thing has its first name, and names are in their order', () => {
  const names = [
    { id: '2', type: 'channel', name: 'Padaria' },
    { id: '1', type: 'channel', name: 'Ágora' },
    { id: '2', type: 'channel', name: 'Old name' },
  ]

  assert.deepEqual(
    sortNames(names).map(({ name }) => name),
    ['Ágora', 'Padaria'],
  )
})
