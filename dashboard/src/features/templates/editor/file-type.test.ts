import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectType } from './file-type.ts'

function detect(...bytes: number[]): Promise<string> {
  return detectType(new Blob([new Uint8Array(bytes)], { type: 'image/png' }))
}

test('the type of a file is known by its first bytes, and not by its declared type', async () => {
  assert.equal(await detect(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg')
  assert.equal(await detect(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'image/png')
  assert.equal(await detect(...Buffer.from('%PDF-1.7')), 'application/pdf')
  assert.equal(await detect(0, 0, 0, 24, ...Buffer.from('ftypisom')), 'video/mp4')
})

test('a file that is cut, empty or of another type has no known type', async () => {
  for (const bytes of [
    [],
    [0xff, 0xd8],
    [0x89, 0x50, 0x4e, 0x47],
    [...Buffer.from('GIF89a')],
    [...Buffer.from('ftypisom')],
  ]) {
    assert.equal(await detect(...bytes), 'application/octet-stream')
  }
})
