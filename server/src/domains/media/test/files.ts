const MB = 2 ** 20

/** The smallest valid file of each type: real headers, and no more than the format requires. */
export const FILES: Record<string, { name: string; type: string; bytes: Buffer }> = {
  jpeg: { name: 'a.jpg', type: 'image/jpeg', bytes: hex('ffd8ffe000104a46494600010100000100010000ffd9') },
  png: {
    name: 'a.png',
    type: 'image/png',
    bytes: hex('89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c489 0000000049454e44ae426082'),
  },
  webp: { name: 'a.webp', type: 'image/webp', bytes: join('RIFF', le32(26), 'WEBPVP8L', le32(14), Buffer.alloc(14)) },
  mp4: { name: 'a.mp4', type: 'video/mp4', bytes: box('ftyp', 'isom', hex('00000200'), 'isomiso2avc1mp41') },
  '3gp': { name: 'a.3gp', type: 'video/3gpp', bytes: box('ftyp', '3gp4', hex('00000300'), '3gp4') },
  aac: { name: 'a.aac', type: 'audio/aac', bytes: join(hex('fff15080021ffc'), Buffer.alloc(32)) },
  amr: { name: 'a.amr', type: 'audio/amr', bytes: join('#!AMR\n', Buffer.alloc(32, 0x3c)) },
  mp3: {
    name: 'a.mp3',
    type: 'audio/mpeg',
    bytes: join('ID3', hex('04000000000000'), hex('fffb9064'), Buffer.alloc(64)),
  },
  m4a: { name: 'a.m4a', type: 'audio/mp4', bytes: box('ftyp', 'M4A ', hex('00000200'), 'M4A isom') },
  ogg: { name: 'a.ogg', type: 'audio/ogg', bytes: oggPage(join('OpusHead', hex('0101 3801 80bb0000 0000 00'))) },
  vorbis: { name: 'b.ogg', type: 'audio/ogg', bytes: oggPage(join(hex('01'), 'vorbis', Buffer.alloc(23))) },
  txt: { name: 'a.txt', type: 'text/plain', bytes: Buffer.from('Bom dia, São João! 🥐\r\n') },
  pdf: { name: 'a.pdf', type: 'application/pdf', bytes: pdf(2000) },
  doc: { name: 'a.doc', type: 'application/msword', bytes: compound() },
  xls: { name: 'a.xls', type: 'application/vnd.ms-excel', bytes: compound() },
  ppt: { name: 'a.ppt', type: 'application/vnd.ms-powerpoint', bytes: compound() },
  docx: office('docx', 'wordprocessingml.document', 'word/document.xml'),
  xlsx: office('xlsx', 'spreadsheetml.sheet', 'xl/workbook.xml'),
  pptx: office('pptx', 'presentationml.presentation', 'ppt/presentation.xml'),
}

/** Files of types that the upstream does not accept. */
export const REFUSED: Record<string, Buffer> = {
  gif: Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'),
  bmp: join('BM', Buffer.alloc(60)),
  heic: box('ftyp', 'heic', hex('00000000'), 'mif1heic'),
  quicktime: box('ftyp', 'qt  ', hex('20050300'), 'qt  '),
  wav: join('RIFF', le32(36), 'WAVEfmt ', Buffer.alloc(28)),
  flac: join('fLaC', Buffer.alloc(38)),
  zip: zip([['readme.txt', 'hello']]),
  gzip: hex('1f8b0800000000000003'),
  program: join(hex('7f454c46020101'), Buffer.alloc(60)),
  windows: join('MZ', Buffer.alloc(100)),
  svg: Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
  noise: hex('00010203fffefdfc8081828384'),
  empty: Buffer.alloc(0),
}

/** A PDF of exactly `size` bytes. */
export function pdf(size: number): Buffer {
  return padded(Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'), size)
}

/** The file, followed by zeros up to `size` bytes. */
export function padded(bytes: Buffer, size: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length))])
}

export function megabytes(count: number): number {
  return count * MB
}

/** An Office file as Word writes it, or, with `typesLast`, as LibreOffice does. */
export function office(extension: string, kind: string, part: string, { typesLast = false, filler = 0 } = {}) {
  const type = `application/vnd.openxmlformats-officedocument.${kind}`
  const types: [string, string] = [
    '[Content_Types].xml',
    `<Types><Override PartName="/${part}" ContentType="${type}.main+xml"/></Types>`,
  ]
  const others: [string, string][] = [
    ['_rels/.rels', '<Relationships/>'],
    ['docProps/app.xml', `<Properties>${'x'.repeat(filler)}</Properties>`],
    [part, '<document/>'],
  ]
  return { name: `a.${extension}`, type, bytes: zip(typesLast ? [...others, types] : [types, ...others]) }
}

/** A ZIP archive of stored entries, without a central directory: detection reads only the head. */
export function zip(entries: [name: string, content: string][]): Buffer {
  return join(
    ...entries.flatMap(([name, content]) => [
      hex('504b0304 1400 0000 0000 00000000'),
      hex('00000000'),
      le32(content.length),
      le32(content.length),
      Buffer.from([name.length, 0, 0, 0]),
      name,
      content,
    ]),
    hex('504b0506'),
    Buffer.alloc(18),
  )
}

function compound(): Buffer {
  return join(hex('d0cf11e0a1b11ae1'), Buffer.alloc(504))
}

function oggPage(payload: Buffer): Buffer {
  return join(
    'OggS',
    hex('0002'),
    Buffer.alloc(8),
    hex('01000000 00000000 00000000 01'),
    Buffer.from([payload.length]),
    payload,
  )
}

function box(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = join(type, ...parts)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 4)
  return join(size, body, hex('00000008'), 'free')
}

function join(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(' ', ''), 'hex')
}

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
