import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { KeyRing, SealingKey } from './key-ring.ts'
import { createSealing, readKeyId } from './sealing.ts'

const PLACE = { table: 'users', column: 'totp_secret', organizationId: 'org', rowId: 'row' }

function key(id: string): SealingKey {
  return { id, bytes: randomBytes(32) }
}

function sealingWith(...ring: [SealingKey, ...SealingKey[]]) {
  return createSealing((): KeyRing => ring)
}

test('any sealed text opens again in its field', () => {
  const sealing = sealingWith(key('a'))

  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      assert.equal(sealing.open(sealing.seal(plain, PLACE), PLACE), plain)
    }),
  )
})

test('a sealed value names its key, hides its text and differs each time', () => {
  const sealing = sealingWith(key('k-1'))

  const sealed = [sealing.seal('planted', PLACE), sealing.seal('planted', PLACE)]

  assert.notEqual(sealed[0], sealed[1])
  for (const value of sealed) {
    assert.match(value, /^k-1\.[A-Za-z0-9_-]+$/)
    assert.equal(readKeyId(value), 'k-1')
    assert.ok(!Buffer.from(value.slice(4), 'base64url').includes('planted'))
  }
})

// With the ring and this format, a dump can be opened without the hub.
test('a sealed value is a nonce, a tag of 16 bytes and the ciphertext of AES-256-GCM', {
  rules: ['auth.secrets-are-sealed'],
}, () => {
  const own = key('a')
  const bytes = Buffer.from(sealingWith(own).seal('secret', PLACE).slice(2), 'base64url')

  const decipher = createDecipheriv('aes-256-gcm', own.bytes, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAuthTag(bytes.subarray(12, 28)).setAAD(Buffer.from(JSON.stringify(Object.values(PLACE))))
  const opened = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])

  assert.equal(opened.toString(), 'secret')
})

test('a value moved to another table, column, organization or row does not open', {
  rules: ['auth.sealed-value-opens-in-its-place-only'],
}, () => {
  const sealing = sealingWith(key('a'))
  const sealed = sealing.seal('secret', PLACE)

  for (const part of Object.keys(PLACE)) {
    assert.equal(sealing.open(sealed, { ...PLACE, [part]: 'other' }), undefined, part)
  }
})

// Joined without a separator, the parts of these two fields would be equal.
test('the organization and the row of a field are kept apart', () => {
  const sealing = sealingWith(key('a'))
  const sealed = sealing.seal('secret', { ...PLACE, organizationId: 'ab', rowId: 'c' })

  const opened = sealing.open(sealed, { ...PLACE, organizationId: 'a', rowId: 'bc' })

  assert.equal(opened, undefined)
})

test('a value with one byte changed, removed or added does not open', () => {
  const sealing = sealingWith(key('a'))
  const bytes = Buffer.from(sealing.seal('secret', PLACE).slice(2), 'base64url')
  const altered = [...bytes.keys()].map((index) => {
    const copy = Buffer.from(bytes)
    copy[index] = (copy[index] ?? 0) ^ 1
    return copy
  })

  for (const other of [...altered, bytes.subarray(0, -1), bytes.subarray(1), Buffer.concat([bytes, Buffer.of(0)])]) {
    assert.equal(sealing.open(`a.${other.toString('base64url')}`, PLACE), undefined)
  }
})

// GCM accepts tags of 4 bytes by default, which can be guessed.
test('a value with a shortened tag does not open', { rules: ['auth.secrets-are-sealed'] }, () => {
  const sealing = sealingWith(key('a'))
  const bytes = Buffer.from(sealing.seal('', PLACE).slice(2), 'base64url')

  for (const length of [4, 8, 12, 15]) {
    assert.equal(sealing.open(`a.${bytes.subarray(0, 12 + length).toString('base64url')}`, PLACE), undefined)
  }
})

test('a text that was not sealed does not open', () => {
  const sealing = sealingWith(key('a'))

  for (const value of ['', '.', 'a', 'a.', '.abc', 'a.!!!!', 'plain text', `a.${'A'.repeat(100)}`]) {
    assert.equal(sealing.open(value, PLACE), undefined, value)
  }
})

test('the first key of the ring seals, and every key opens', { rules: ['config.first-sealing-key-seals'] }, () => {
  const [older, newer] = [key('older'), key('newer')]
  const before = sealingWith(older).seal('before', PLACE)
  const sealing = sealingWith(newer, older)

  const after = sealing.seal('after', PLACE)

  assert.equal(sealing.currentKeyId(), 'newer')
  assert.equal(readKeyId(after), 'newer')
  assert.equal(sealing.open(before, PLACE), 'before')
  assert.equal(sealing.open(after, PLACE), 'after')
})

test('a value does not open without its key, or with other bytes under the key id', () => {
  const sealed = sealingWith(key('a')).seal('secret', PLACE)

  assert.equal(sealingWith(key('b')).open(sealed, PLACE), undefined)
  assert.equal(sealingWith(key('a')).open(sealed, PLACE), undefined)
})

test('a change of the ring takes effect at once', () => {
  let ring: KeyRing = [key('a')]
  const sealing = createSealing(() => ring)
  const sealed = sealing.seal('secret', PLACE)

  ring = [key('b'), ...ring]

  assert.equal(sealing.currentKeyId(), 'b')
  assert.equal(sealing.open(sealed, PLACE), 'secret')
})
