import type { FileType } from './draft.ts'

/** The first bytes of the files that Meta takes as examples. */
const BEGINNINGS: Record<FileType, { offset: number; bytes: readonly number[] }> = {
  'image/jpeg': { offset: 0, bytes: [0xff, 0xd8, 0xff] },
  'image/png': { offset: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  'application/pdf': { offset: 0, bytes: [0x25, 0x50, 0x44, 0x46] },
  'video/mp4': { offset: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
}

/** The type of a file by its first bytes, not by its name. */
export async function detectType(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const begins = ({ offset, bytes }: (typeof BEGINNINGS)[FileType]) =>
    bytes.every((byte, at) => head[offset + at] === byte)
  const found = Object.entries(BEGINNINGS).find(([, beginning]) => begins(beginning))
  return found?.[0] ?? 'application/octet-stream'
}
