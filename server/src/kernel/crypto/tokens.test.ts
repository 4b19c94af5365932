import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { getLast4, hashToken, newToken, readTokenKind, TOKEN_PREFIX, type TokenKind } from './tokens.ts'

const KINDS = Object.keys(TOKEN_PREFIX) as TokenKind[]
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a token is a prefix of its kind, 43 base62 characters and a 6-character checksum', {
  rules: ['auth.credential-has-a-checksum'],
}, () => {
  for (const kind of KINDS) {
    const token = newToken(kind)

    assert.match(token, new RegExp(`^${TOKEN_PREFIX[kind]}[0-9A-Za-z]{49}$`))
    assert.equal(readTokenKind(token), kind)
  }
})

test('the random part of a token of a cell begins with its mark, and its form is the same', {
  rules: ['auth.cell-mark-begins-credentials'],
}, () => {
  for (const kind of KINDS) {
    const token = newToken(kind, 'br01')

    assert.match(token, new RegExp(`^${TOKEN_PREFIX[kind]}br01[0-9A-Za-z]{45}$`))
    assert.equal(readTokenKind(token), kind)
    assert.notEqual(newToken(kind, 'br01'), token)
  }
})

test('the checksum is the CRC32 of the text before it, in base62', {
  rules: ['auth.credential-has-a-checksum'],
}, () => {
  const token = newToken('api_key')

  const checksum = [...token.slice(-6)].reduce((sum, character) => sum * 62 + ALPHABET.indexOf(character), 0)

  assert.equal(checksum, crc32(token.slice(0, -6)))
})

test('a token with one character changed is invalid', () => {
  const token = newToken('channel_token')

  for (let index = 0; index < token.length; index++) {
    const other = token[index] === 'a' ? 'b' : 'a'
    const altered = token.slice(0, index) + other + token.slice(index + 1)
    assert.equal(readTokenKind(altered), undefined, altered)
  }
})

test('a text of another length, prefix or alphabet is not a token', () => {
  const token = newToken('api_key')
  const unknownKind = withChecksum(`hub_zz_${'a'.repeat(43)}`)
  const others = [
    '',
    `${token}a`,
    token.slice(0, -1),
    ` ${token}`,
    `${token}\n`,
    token.replace('hub', 'HUB'),
    unknownKind,
  ]

  const kinds = others.map(readTokenKind)

  assert.deepEqual(
    kinds,
    others.map(() => undefined),
  )
})

test('tokens differ, and every character of the alphabet occurs at every position', () => {
  const tokens = Array.from({ length: 2000 }, () => newToken('session'))

  assert.equal(new Set(tokens).size, tokens.length)
  for (let position = 7; position < 50; position++) {
    assert.equal(new Set(tokens.map((token) => token[position])).size, ALPHABET.length)
  }
})

test('a token is stored as its SHA-256 and its last four characters', {
  rules: ['auth.credentials-are-stored-as-hashes'],
}, () => {
  const token = newToken('api_key')

  assert.deepEqual(hashToken(token), createHash('sha256').update(token, 'utf8').digest())
  assert.equal(getLast4(token), token.slice(token.length - 4))
})

function withChecksum(body: string): string {
  let rest = crc32(body)
  let checksum = ''
  for (let i = 0; i < 6; i++) {
    checksum = ALPHABET.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return body + checksum
}
