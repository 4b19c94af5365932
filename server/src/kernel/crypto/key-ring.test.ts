import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newKey, openKeyRingFile, parseKeyRing } from './key-ring.ts'

const BASE64 = randomBytes(32).toString('base64')

function createDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'hubline-keys-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

test('parses a ring in order, with spaces around its entries', () => {
  const other = randomBytes(32).toString('base64')

  const ring = parseKeyRing(` new-1:${BASE64} , old_2:${other}\n`)

  assert.deepEqual(ring, [
    { id: 'new-1', bytes: Buffer.from(BASE64, 'base64') },
    { id: 'old_2', bytes: Buffer.from(other, 'base64') },
  ])
})

test('a malformed ring is refused with an error that does not repeat it', {
  rules: ['config.sealing-keys-are-32-bytes'],
}, () => {
  const short = randomBytes(31).toString('base64')
  const long = randomBytes(33).toString('base64')
  const malformed = ['', ',', 'planted', `:${BASE64}`, BASE64, `a:${short}`, `a:${long}`, `a.b:${BASE64}`]
  const corrupted = [`a:${BASE64},`, `a:${BASE64},b:planted`, `${'i'.repeat(33)}:${BASE64}`, `a:${BASE64.slice(0, -1)}`]

  for (const text of [...malformed, ...corrupted]) {
    assert.throws(
      () => parseKeyRing(text),
      ({ message }: Error) => /^key [12] is not of the form id:base64-of-32-bytes$/.test(message),
      text,
    )
  }
})

test('two keys with the same id are refused', () => {
  assert.throws(() => parseKeyRing(`a:${BASE64},a:${randomBytes(32).toString('base64')}`), /two keys have the same id/)
})

test('a new key has 32 bytes and can be written and read back', () => {
  const key = newKey()

  const [read] = parseKeyRing(`${key.id}:${key.bytes.toString('base64')}`)

  assert.equal(key.bytes.length, 32)
  assert.deepEqual(read, key)
})

test('keys created at the same time have different ids', () => {
  const ids = Array.from({ length: 100 }, () => newKey().id)

  assert.equal(new Set(ids).size, ids.length)
})

test('the key file is created once, readable only by its owner', (t) => {
  const path = join(createDirectory(t), 'deeper', 'keys')
  const file = openKeyRingFile(path)

  file.createIfMissing()
  const made = file.read()
  openKeyRingFile(path).createIfMissing()

  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(openKeyRingFile(path).read(), made)
})

test('an added key comes first, and another process reads it at once', (t) => {
  const directory = createDirectory(t)
  const path = join(directory, 'keys')
  const file = openKeyRingFile(path)
  const hub = openKeyRingFile(path)
  file.createIfMissing()
  const [first] = hub.read()

  const added = file.addKey()

  assert.deepEqual(hub.read(), [added, first])
  assert.deepEqual(file.read(), [added, first])
  assert.deepEqual(readdirSync(directory), ['keys'])
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('each of many keys added in a row is read at once', (t) => {
  const path = join(createDirectory(t), 'keys')
  const file = openKeyRingFile(path)
  const hub = openKeyRingFile(path)
  file.createIfMissing()

  for (let count = 2; count <= 50; count++) {
    const added = file.addKey()
    assert.equal(hub.read()[0].id, added.id)
    assert.equal(hub.read().length, count)
  }
})

test('a corrupted key file is refused and not changed', (t) => {
  const path = join(createDirectory(t), 'keys')
  writeFileSync(path, 'corrupted')

  assert.throws(() => openKeyRingFile(path).createIfMissing(), /key 1 is not of the form/)
  assert.equal(readFileSync(path, 'utf8'), 'corrupted')
})
