// cspell:disable: these are no words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPredictable } from './predictable-password.ts'

const PREDICTABLE = [
  '123456789012',
  '098765432109',
  'aaaaaaaaaaaa',
  'AAAAbbbb1111',
  'qwertyuiop12',
  'QwertyUiop12',
  'asdfghjkl123',
  '1qaz2wsx3edc',
  'abcabcabcabc',
  'ABCabcABCabc',
  '121212121212',
  'abcdefghijkl',
  'senhasenhasenha',
  'ããããããããããããã',
]
const OTHERS = [
  'correct horse battery staple',
  'a sentence is easy',
  'hunter2hunter2',
  'senha do padeiro',
  'first student',
  'defghi no top',
  '12345678 pães',
  'uma frase longa de dez',
  'x7#Kq2!mZp9w',
]

test('runs along the alphabet, the digits or a keyboard, and a part three times, are predictable', {
  rules: ['signin.predictable-password-is-400'],
}, () => {
  for (const password of PREDICTABLE) assert.ok(isPredictable(password), password)
})

test('sentences and chance are not predictable', { rules: ['signin.predictable-password-is-400'] }, () => {
  for (const password of OTHERS) assert.ok(!isPredictable(password), password)
})
