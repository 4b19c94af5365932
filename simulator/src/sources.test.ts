import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SOURCE = import.meta.dirname
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** The packages that sources may import, and those that only tests may. */
const PACKAGES = ['@fastify/busboy', 'fastify']
const PACKAGES_OF_TESTS = ['stripe']

// Texts are data. Code shared with the server would share its mistakes, and the simulator could not catch them.
test('the simulator imports only itself, Node and a few named packages', () => {
  for (const name of FILES) {
    const text = readFileSync(join(SOURCE, name), 'utf8')
    const isTest = name.endsWith('.test.ts') || name.startsWith('payments/test/')
    for (const [, from = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      const isOwn = from.startsWith('./') || from.startsWith('../')
      const resolved = join(SOURCE, name, '..', from)
      const isAllowed =
        from.startsWith('node:') ||
        from.startsWith('@hubline/locales/') ||
        PACKAGES.includes(from) ||
        (isTest && PACKAGES_OF_TESTS.includes(from))
      assert.ok(isAllowed || (isOwn && resolved.startsWith(SOURCE)), `${name} imports ${from}`)
    }
  }
})
