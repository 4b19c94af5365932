import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countMinorUnits, parseMinorUnits } from './money.ts'

test('a budget is typed in units of the currency and kept in its smallest ones', () => {
  assert.deepEqual([countMinorUnits('BRL'), countMinorUnits('JPY'), countMinorUnits('KWD')], [100, 1, 1000])
  for (const [text, units] of [
    ['4000', 400_000],
    ['19.99', 1999],
    [' 0,29 ', 29],
    ['0.01', 1],
  ] as const)
    assert.equal(parseMinorUnits(text, 'BRL'), units, text)
  for (const text of ['', '0', '0.001', '-1', '1.000,00', 'R$ 5', '1e3']) {
    assert.equal(parseMinorUnits(text, 'BRL'), undefined, text)
  }
  assert.deepEqual([parseMinorUnits('12', 'JPY'), parseMinorUnits('12.5', 'JPY')], [12, undefined])
})
