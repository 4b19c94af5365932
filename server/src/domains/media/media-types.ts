import { fileTypeFromBuffer } from 'file-type'

/** As much of a file as its type is read from. */
export const HEAD_BYTES = 4100

const MB = 2 ** 20
const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** What the upstream takes, with the largest size of each. */
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

/** Other names for what the bytes show. */
const SYNONYMS: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'audio/opus': 'audio/ogg',
  'video/3gpp2': 'video/3gpp',
}

/** The first bytes of these containers are alike; which of them it is, the name tells. */
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

/** What an Office document may begin with, whoever wrote it; any other archive is just an archive. */
const OFFICE_PART = /^(\[Content_Types\]\.xml$|(_rels|docProps|customXml|word|xl|ppt)\/)/

/** A file's type by its bytes, whatever it is declared to be; undefined when the upstream would not take it. */
export async function detectMediaType(head: Buffer, filename: string): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(head).catch(() => undefined)
  if (detected === undefined) return isText(head) ? 'text/plain' : undefined
  if (detected.mime === 'application/zip' && !OFFICE_PART.test(firstEntryOf(head))) return undefined
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const type = CONTAINERS[detected.mime]?.[extension] ?? SYNONYMS[detected.mime] ?? detected.mime
  return Object.hasOwn(MEDIA_BYTES_MAX, type) ? type : undefined
}

/** The name that a ZIP archive's first header gives: its length stands at byte 26, itself from byte 30 on. */
function firstEntryOf(head: Buffer): string {
  return head.length < 30 ? '' : head.toString('latin1', 30, 30 + head.readUInt16LE(26))
}

/** Text has no mark of its own: it is what reads as UTF-8 without control characters. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false
  const text = new TextDecoder().decode(head.subarray(0, lastWholeCharacter(head)))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text)
}

/** The head may end inside a character. */
function lastWholeCharacter(head: Buffer): number {
  for (let end = head.length; end > Math.max(0, head.length - 4); end--) {
    const byte = head[end - 1] ?? 0
    if (byte < 0x80) return end
    if (byte >= 0xc0) return end - 1
  }
  return head.length
}
