import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCountry } from './country.ts'

const USER_ID = 'PT.1a2b3c4d5e6f'

for (const [number, country] of [
  ['5511987654321', 'BR'],
  ['+55 (11) 98765-4321', 'BR'],
  ['351912345678', 'PT'],
  ['34612345678', 'ES'],
  ['12025550123', 'US'],
  ['14165550123', 'CA'],
  ['18765550123', 'JM'],
  ['18095550123', 'DO'],
  ['79161234567', 'RU'],
  ['77011234567', 'KZ'],
  ['76011234567', 'KZ'],
  ['5215512345678', 'MX'],
  ['447700900123', 'GB'],
  ['8613800138000', 'CN'],
  ['85291234567', 'HK'],
  ['967712345678', 'YE'],
  ['97412345678', 'QA'],
]) {
  test(`the number ${number} is of ${country}`, { rules: ['cost.country-comes-from-the-calling-code'] }, () => {
    assert.equal(findCountry(number ?? null, USER_ID), country)
  })
}

test('the country of a recipient without a usable number is that of the user id, else unknown', {
  rules: ['cost.country-comes-from-the-calling-code'],
}, () => {
  for (const number of [null, '', '21098765', '9991234567', '55', 'a-group@example']) {
    assert.equal(findCountry(number, USER_ID), 'PT', String(number))
    assert.equal(findCountry(number, 'PT.ENT.1a2b'), 'PT', String(number))
    for (const userId of [null, '', 'pt.1a2b', 'PRT.1a2b', '1a2b']) {
      assert.equal(findCountry(number, userId), 'unknown', `${number} ${userId}`)
    }
  }
})
