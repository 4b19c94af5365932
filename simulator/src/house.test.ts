import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SOURCE = import.meta.dirname
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

// The simulator must be able to contradict the server, so it can share nothing with it. Its tests may ask the payment
// provider's own SDK whether it understands the double.
test('the simulator imports only itself and Node', () => {
  for (const name of FILES) {
    const text = readFileSync(join(SOURCE, name), 'utf8')
    const isTest = name.endsWith('.test.ts') || name.startsWith('payments/test/')
    for (const [, from = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      const isOwn = from.startsWith('./') || from.startsWith('../')
      const resolved = join(SOURCE, name, '..', from)
      const isAllowed = from.startsWith('node:') || (isTest && from === 'stripe')
      assert.ok(isAllowed || (isOwn && resolved.startsWith(SOURCE)), `${name} imports ${from}`)
    }
  }
})

test('no file of the simulator grows beyond 250 lines', () => {
  for (const name of FILES.filter((file) => !file.endsWith('.test.ts'))) {
    const lines = readFileSync(join(SOURCE, name), 'utf8').split('\n').length
    assert.ok(lines <= 250, `${name} has ${lines} lines`)
  }
})
