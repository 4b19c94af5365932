import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { keyRingFile, newKey, parseKeyRing } from './key-ring.ts'

const BASE64 = randomBytes(32).toString('base64')

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'hubline-keys-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

test('a ring is read in its order, with blanks around its entries', () => {
  const other = randomBytes(32).toString('base64')

  const ring = parseKeyRing(` new-1:${BASE64} , old_2:${other}\n`)

  assert.deepEqual(ring, [
    { id: 'new-1', bytes: Buffer.from(BASE64, 'base64') },
    { id: 'old_2', bytes: Buffer.from(other, 'base64') },
  ])
})

test('a malformed ring is refused without a word of what it holds', { rules: ['D2-13'] }, () => {
  const short = randomBytes(31).toString('base64')
  const long = randomBytes(33).toString('base64')
  const malformed = ['', ',', 'planted', `:${BASE64}`, BASE64, `a:${short}`, `a:${long}`, `a.b:${BASE64}`]
  const spoiled = [`a:${BASE64},`, `a:${BASE64},b:planted`, `${'i'.repeat(33)}:${BASE64}`, `a:${BASE64.slice(0, -1)}`]

  for (const text of [...malformed, ...spoiled]) {
    assert.throws(
      () => parseKeyRing(text),
      ({ message }: Error) => /^key [12] is not of the form id:base64-of-32-bytes$/.test(message),
      text,
    )
  }
})

test('two keys of one id are refused', () => {
  assert.throws(() => parseKeyRing(`a:${BASE64},a:${randomBytes(32).toString('base64')}`), /two keys have the same id/)
})

test('a new key has 32 bytes and can be written and read back', () => {
  const key = newKey()

  const [read] = parseKeyRing(`${key.id}:${key.bytes.toString('base64')}`)

  assert.equal(key.bytes.length, 32)
  assert.deepEqual(read, key)
})

test('two keys made in one moment have different ids', () => {
  const ids = Array.from({ length: 100 }, () => newKey().id)

  assert.equal(new Set(ids).size, ids.length)
})

test('the key file is made once, for its owner only, and found again', (t) => {
  const path = join(temporaryDirectory(t), 'deeper', 'keys')
  const file = keyRingFile(path)

  file.createIfMissing()
  const made = file.read()
  keyRingFile(path).createIfMissing()

  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(keyRingFile(path).read(), made)
})

test('an added key comes first, the others stay, and another process sees it at once', (t) => {
  const directory = temporaryDirectory(t)
  const path = join(directory, 'keys')
  const file = keyRingFile(path)
  const hub = keyRingFile(path)
  file.createIfMissing()
  const [first] = hub.read()

  const added = file.addKey()

  assert.deepEqual(hub.read(), [added, first])
  assert.deepEqual(file.read(), [added, first])
  assert.deepEqual(readdirSync(directory), ['keys'])
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('every one of several keys added at once is seen', (t) => {
  const path = join(temporaryDirectory(t), 'keys')
  const file = keyRingFile(path)
  const hub = keyRingFile(path)
  file.createIfMissing()

  for (let count = 2; count <= 50; count++) {
    const added = file.addKey()
    assert.equal(hub.read()[0].id, added.id)
    assert.equal(hub.read().length, count)
  }
})

test('a key file that was spoiled is refused and left as it is', (t) => {
  const path = join(temporaryDirectory(t), 'keys')
  writeFileSync(path, 'spoiled')

  assert.throws(() => keyRingFile(path).createIfMissing(), /key 1 is not of the form/)
  assert.equal(readFileSync(path, 'utf8'), 'spoiled')
})
