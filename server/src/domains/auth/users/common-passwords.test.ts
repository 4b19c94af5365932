import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommonPassword } from './common-passwords.ts'

test('passwords that are guessed first are common, in upper case too', {
  rules: ['signin.common-password-is-400'],
}, () => {
  for (const password of ['password', 'PASSWORD', 'Password', 'password1', '12345678', '1qaz2wsx']) {
    assert.ok(isCommonPassword(password), password)
  }
})

test('a sentence is not common', { rules: ['signin.common-password-is-400'] }, () => {
  for (const password of ['correct horse battery staple', 'a sentence is easy', 'hunter2hunter2', 'senha do padeiro']) {
    assert.ok(!isCommonPassword(password), password)
  }
})
