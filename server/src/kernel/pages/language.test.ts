import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage } from './language.ts'

for (const [chosen, accepted, expected] of [
  [undefined, undefined, 'en'],
  [undefined, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
  [undefined, 'fr-FR, pt-PT;q=0.5', 'pt-BR'],
  [undefined, 'ja', 'en'],
  ['en', 'pt-BR', 'en'],
  ['pt-BR', 'en', 'pt-BR'],
  [undefined, 'es-MX,es;q=0.9,en;q=0.8', 'es'],
  [undefined, 'est,de', 'en'],
  ['es', 'pt-BR', 'es'],
  ['xx', 'pt-BR', 'pt-BR'],
  ['xx', 'ja', 'en'],
  ['"><script>', undefined, 'en'],
  [undefined, 'es-419;q=0.9,pt;q=0.95', 'pt-BR'],
  [undefined, 'en;q=0.1, es-419;q=0.9', 'es'],
  [undefined, 'pt;q=0, es;q=0.1', 'es'],
  [undefined, 'pt;q=much, es;q=0.1', 'es'],
  [undefined, '*', 'en'],
] as const) {
  test(`the language for the choice ${chosen} and the header "${accepted}" is ${expected}`, () => {
    assert.equal(chooseLanguage(chosen, accepted), expected)
  })
}
