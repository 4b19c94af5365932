const MB = 1024 * 1024
const KB = 1024

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker'

interface KindRule {
  types: readonly string[]
  bytesMax: number
}

const DOCUMENT_TYPES = [
  'text/plain',
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
]

export const MEDIA_KINDS: Readonly<Record<MediaKind, KindRule>> = {
  image: { types: ['image/jpeg', 'image/png'], bytesMax: 5 * MB },
  video: { types: ['video/mp4', 'video/3gpp'], bytesMax: 16 * MB },
  audio: { types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], bytesMax: 16 * MB },
  document: { types: DOCUMENT_TYPES, bytesMax: 100 * MB },
  sticker: { types: ['image/webp'], bytesMax: 500 * KB },
}

/** The magic bytes of each type. A type without an entry is not checked. */
const MAGIC_BYTES: Readonly<Record<string, (head: Buffer) => boolean>> = {
  'image/jpeg': (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  'image/png': (head) => head.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47])),
  'image/webp': (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  'video/mp4': (head) => head.toString('latin1', 4, 8) === 'ftyp',
  'video/3gpp': (head) => head.toString('latin1', 4, 8) === 'ftyp',
  'audio/mp4': (head) => head.toString('latin1', 4, 8) === 'ftyp',
  'audio/ogg': (head) => head.toString('latin1', 0, 4) === 'OggS',
  'application/pdf': (head) => head.toString('latin1', 0, 4) === '%PDF',
}

/** `audio/ogg; codecs=opus` is `audio/ogg`. */
export function toBaseType(mimeType: string): string {
  return mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
}

export function findMediaKind(mimeType: string): MediaKind | undefined {
  const kinds = Object.keys(MEDIA_KINDS) as MediaKind[]
  return kinds.find((kind) => MEDIA_KINDS[kind].types.includes(toBaseType(mimeType)))
}

export function listAllowedTypes(): string[] {
  return Object.values(MEDIA_KINDS).flatMap((rule) => rule.types)
}

export function hasMagicBytes(mimeType: string, head: Buffer): boolean {
  return MAGIC_BYTES[toBaseType(mimeType)]?.(head) ?? true
}
