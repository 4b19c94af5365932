import { invalidRequest } from '../../../kernel/errors.ts'

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

const BYTES_MAX = 200 * 1024
const SIDE_MAX = 1024

/** Characters of base64 that hold a logo of the largest size. */
export const LOGO_CONTENT_MAX = Math.ceil(BYTES_MAX / 3) * 4

const PATH = '/content'

type Image = { type: LogoType; width: number; height: number }

/** The bytes alone decide which type a logo has: an SVG is refused under any name, because it can have a script. */
export function requireLogoImage(bytes: Buffer): LogoType {
  if (bytes.length > BYTES_MAX) {
    throw invalidRequest('logo_too_heavy', { path: PATH, parameters: { bytes: bytes.length, maximum: BYTES_MAX } })
  }
  const image = readPng(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  if (!image || image.width === 0 || image.height === 0) throw invalidRequest('logo_not_image', { path: PATH })
  const { type, width, height } = image
  if (Math.max(width, height) > SIDE_MAX) {
    throw invalidRequest('logo_too_large', { path: PATH, parameters: { width, height, maximum: SIDE_MAX } })
  }
  return type
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** The first chunk is the header, which begins with width and height. */
function readPng(bytes: Buffer): Image | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** A WebP begins with one of three chunks, each with its own way to write the size (RFC 9649). */
function readWebp(bytes: Buffer): Image | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

/** Segments with the size of the frame: SOF0 to SOF15 without DHT, JPG and DAC, which lie between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Walks the segments, each of which has its length, up to the header of the frame. */
function readJpeg(bytes: Buffer): Image | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1)
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) at += 1
    else if (isFrameHeader(marker)) {
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    } else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
