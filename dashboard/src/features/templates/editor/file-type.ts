/** How the files begin that Meta takes as examples. */
const BEGINNINGS: readonly (readonly [type: string, offset: number, bytes: readonly number[]])[] = [
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['application/pdf', 0, [0x25, 0x50, 0x44, 0x46]],
  ['video/mp4', 4, [0x66, 0x74, 0x79, 0x70]],
]

/** The type of a file by its first bytes, not by its name. */
export async function detectType(file: Blob): Promise<string> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer())
  const found = BEGINNINGS.find(([, offset, bytes]) => bytes.every((byte, at) => head[offset + at] === byte))
  return found?.[0] ?? 'application/octet-stream'
}
