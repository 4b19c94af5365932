import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '../../kernel/env.ts'
import { readConfig } from './config.ts'
import { loadRateCards } from './rate-card-file.ts'

test('a file of rate cards that cannot be used stops the start with its name and what is wrong', {
  rules: ['cost.unusable-rate-card-stops-the-start'],
}, (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'costs-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'costs.json')
  const load = () => loadRateCards(readConfig({ COSTS_FILE: path }).costsFile)
  const refused = (reason: string) => (err: Error) =>
    err instanceof ConfigError && err.message === `Cannot start: the file of COSTS_FILE, ${path}, ${reason}.`

  assert.throws(load, refused('cannot be read (ENOENT)'))
  writeFileSync(path, '[]')
  assert.throws(load, refused('must be a JSON list with at least one rate card'))
  writeFileSync(
    path,
    '[{"currency":"BRL","valid_from":"2026-10-01","rates":[{"country":"*","category":"utility","amount":0.04}]}]',
  )
  assert.equal(load()?.currency, 'BRL')
})

test('without COSTS_FILE there are no rate cards, and a misspelled variable is refused', () => {
  assert.equal(loadRateCards(readConfig({}).costsFile), undefined)
  assert.throws(() => readConfig({ COSTS_FILES: 'x' }), /COSTS_FILES is not a variable of Hubline/)
})
