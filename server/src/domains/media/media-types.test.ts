import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectMediaType, HEAD_BYTES, MEDIA_BYTES_MAX } from './media-types.ts'
import { FILES, office, padded, REFUSED, zip } from './test/files.ts'

for (const [kind, { name, type, bytes }] of Object.entries(FILES)) {
  test(`the bytes of a ${kind} file are detected as ${type}`, async () => {
    assert.equal(await detectMediaType(bytes, name), type)
  })

  test(`the head of a large ${kind} file is enough to detect its type`, async () => {
    const filler = type === 'text/plain' ? Buffer.alloc(HEAD_BYTES, 'a') : Buffer.alloc(HEAD_BYTES, 0x5a)

    assert.equal(await detectMediaType(Buffer.concat([bytes, filler]).subarray(0, HEAD_BYTES), name), type)
  })
}

test('the test files cover every type that the upstream accepts', () => {
  const tested = new Set(Object.values(FILES).map(({ type }) => type))

  assert.deepEqual([...tested].toSorted(), Object.keys(MEDIA_BYTES_MAX).toSorted())
})

for (const [kind, bytes] of Object.entries(REFUSED)) {
  test(`a ${kind} file is refused under every name`, async () => {
    for (const name of ['a.jpg', 'a.png', 'a.pdf', 'a.txt', 'a.doc', 'a.docx', 'a.xlsx', 'file']) {
      assert.equal(await detectMediaType(bytes, name), undefined, name)
    }
  })
}

test('a wrong file name does not change the detected type', { rules: ['media.bytes-decide-the-type'] }, async () => {
  for (const { name, type, bytes } of Object.values(FILES)) {
    if (name === 'a.doc' || name === 'a.xls' || name === 'a.ppt') continue
    assert.equal(await detectMediaType(bytes, 'a.exe'), type)
    assert.equal(await detectMediaType(bytes, 'a.doc'), type)
  }
})

// The old Office formats share one container, and the mark of the format may be anywhere in the file.
test('the extension of an old Office file decides its type, and without a known one it is refused', async () => {
  const { bytes } = FILES.doc!

  assert.equal(await detectMediaType(bytes, 'A.XLS'), 'application/vnd.ms-excel')
  assert.equal(await detectMediaType(bytes, 'a.msi'), undefined)
  assert.equal(await detectMediaType(bytes, 'a'), undefined)
})

for (const [extension, kind, part] of [
  ['docx', 'wordprocessingml.document', 'word/document.xml'],
  ['xlsx', 'spreadsheetml.sheet', 'xl/workbook.xml'],
  ['pptx', 'presentationml.presentation', 'ppt/presentation.xml'],
] as const) {
  test(`a ${extension} file that lists its content types after the head is detected`, async () => {
    const { bytes, type } = office(extension, kind, part, { typesLast: true, filler: 3 * HEAD_BYTES })

    assert.equal(await detectMediaType(bytes.subarray(0, HEAD_BYTES), `a.${extension}`), type)
  })
}

test('an archive with the name of a document is refused', { rules: ['media.bytes-decide-the-type'] }, async () => {
  for (const entries of [
    [['virus.exe', 'MZ']],
    [
      ['META-INF/MANIFEST.MF', ''],
      ['Main.class', ''],
    ],
    [['AndroidManifest.xml', '']],
  ] as [string, string][][]) {
    assert.equal(await detectMediaType(zip(entries), 'a.docx'), undefined)
    assert.equal(
      await detectMediaType(padded(zip(entries), 3 * HEAD_BYTES).subarray(0, HEAD_BYTES), 'a.docx'),
      undefined,
    )
  }
})

test('text is UTF-8 without control characters, and the head may end within a character', async () => {
  const croissants = Buffer.from('🥐'.repeat(2000))

  for (const cut of [4096, 4097, 4098, 4099]) {
    assert.equal(await detectMediaType(croissants.subarray(0, cut), 'a'), 'text/plain', String(cut))
  }
  assert.equal(await detectMediaType(Buffer.from('a\u0000b'), 'a.txt'), undefined)
  assert.equal(await detectMediaType(Buffer.from('\u001b[31m'), 'a.txt'), undefined)
  assert.equal(await detectMediaType(Buffer.from([0x61, 0xff, 0x62, 0x63]), 'a.txt'), undefined)
  assert.equal(await detectMediaType(Buffer.from('a;b\n1;2\n'), 'a.csv'), 'text/plain')
})

test('a head of any length gives a known type or undefined, and no error', async () => {
  for (const { bytes, name } of Object.values(FILES)) {
    for (let length = 0; length < Math.min(bytes.length, 80); length++) {
      const type = await detectMediaType(bytes.subarray(0, length), name)
      assert.ok(type === undefined || type in MEDIA_BYTES_MAX)
    }
  }
})
