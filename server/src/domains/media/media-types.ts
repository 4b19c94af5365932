import { fileTypeFromBuffer } from 'file-type'

/** The number of bytes that a file's type is detected from. */
export const HEAD_BYTES = 4100

const MB = 2 ** 20
const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The media types that the upstream accepts, each with its size limit in bytes. */
export const MEDIA_BYTES_MAX: Record<string, number> = {
  'image/jpeg': 5 * MB,
  'image/png': 5 * MB,
  'image/webp': 500 * 1024,
  'video/mp4': 16 * MB,
  'video/3gpp': 16 * MB,
  'audio/aac': 16 * MB,
  'audio/amr': 16 * MB,
  'audio/mpeg': 16 * MB,
  'audio/mp4': 16 * MB,
  'audio/ogg': 16 * MB,
  'text/plain': 100 * MB,
  'application/pdf': 100 * MB,
  'application/msword': 100 * MB,
  'application/vnd.ms-excel': 100 * MB,
  'application/vnd.ms-powerpoint': 100 * MB,
  [`${OFFICE}.wordprocessingml.document`]: 100 * MB,
  [`${OFFICE}.spreadsheetml.sheet`]: 100 * MB,
  [`${OFFICE}.presentationml.presentation`]: 100 * MB,
}

/** Detected types that the upstream knows by another name. */
const ALIASES: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'audio/opus': 'audio/ogg',
  'video/3gpp2': 'video/3gpp',
}

/** Containers whose first bytes are the same for several types. The file name's extension selects the type. */
const CONTAINERS: Record<string, Record<string, string>> = {
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
  },
  'application/zip': {
    docx: `${OFFICE}.wordprocessingml.document`,
    xlsx: `${OFFICE}.spreadsheetml.sheet`,
    pptx: `${OFFICE}.presentationml.presentation`,
  },
}

/** The first entry of an Office document. An archive that starts with another entry is not one. */
const OFFICE_PART = /^(\[Content_Types\]\.xml$|(_rels|docProps|customXml|word|xl|ppt)\/)/

/** The declared type is ignored: the bytes decide. Undefined if the upstream does not accept the type. */
export async function detectMediaType(head: Buffer, filename: string): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(head).catch(() => undefined)
  if (detected === undefined) return isText(head) ? 'text/plain' : undefined
  if (detected.mime === 'application/zip' && !OFFICE_PART.test(readFirstEntryName(head))) return undefined
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const type = CONTAINERS[detected.mime]?.[extension] ?? ALIASES[detected.mime] ?? detected.mime
  return Object.hasOwn(MEDIA_BYTES_MAX, type) ? type : undefined
}

/** In a ZIP archive's first header, the length of the entry's name is at byte 26, and the name starts at byte 30. */
function readFirstEntryName(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('latin1', 30, 30 + head.readUInt16LE(26))
}

/** Text has no signature: it is valid UTF-8 without control characters. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false
  const text = new TextDecoder().decode(head.subarray(0, findLastCompleteCharacter(head)))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  return !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)
}

/** The head may end inside a character. */
function findLastCompleteCharacter(head: Buffer): number {
  for (let end = head.length; end > Math.max(0, head.length - 4); end--) {
    const byte = head[end - 1] ?? 0
    if (byte < 0x80) return end
    if (byte >= 0xc0) return end - 1
  }
  return head.length
}
