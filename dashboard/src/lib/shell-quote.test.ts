import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { shellQuote } from './shell-quote.ts'

test('a shell reads a quoted text as it is, and runs nothing of it', () => {
  const texts = ['https://hub.example/channels?status=active', "'$(echo run)'", "Mercado d'Ouro; `echo run`", '\\']

  const read = execFileSync('sh', ['-c', `printf '%s\\n' ${texts.map(shellQuote).join(' ')}`], { encoding: 'utf8' })

  assert.deepEqual(read.trimEnd().split('\n'), texts)
})
