import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSentenceFinder } from './sentences.ts'

test('the values of a sentence stand in their places in the translation', () => {
  const words = fc.stringMatching(/^[\w$&. -]*\w$/)
  const find = createSentenceFinder({ 'The limit of * is *.': 'O limite de * é *.', 'It is (not) * $.': '* $$' })
  fc.assert(
    fc.property(
      words.filter((word) => !word.includes(' is ')),
      words,
      (what, limit) => {
        assert.equal(find(`The limit of ${what} is ${limit}.`), `O limite de ${what} é ${limit}.`)
        assert.equal(find(`It is (not) ${what} $.`), `${what} $$`)
      },
    ),
  )
})

test('a sentence that is not known as a whole has no translation', () => {
  const find = createSentenceFinder({ 'No account.': 'Sem conta.', 'It is *.': 'É *.' })

  assert.equal(find('No account.'), 'Sem conta.')
  for (const sentence of ['No account', 'No accounts.', 'Sorry: No account.', 'No account. Sign up.', 'It is .', '']) {
    assert.equal(find(sentence), undefined)
  }
})
