import type { CustomerMessage } from '../customer.ts'

/** The hub takes a megabyte of base64. */
const BYTES_MAX = 700_000

/** Pictures that this page has sent, as the phone shows them. The hub has its own copy. */
const pictures = new Map<string, string>()

export function getPicture(messageId: string): string | undefined {
  return pictures.get(messageId)
}

export function keepPicture(messageId: string, message: CustomerMessage): void {
  if (message.type !== 'image' || message.image?.data_base64 === undefined) return
  pictures.set(messageId, `data:${message.image.mime_type};base64,${message.image.data_base64}`)
}

/** Undefined if the file is too large. */
export async function readPicture(file: File): Promise<CustomerMessage | undefined> {
  if (file.size > BYTES_MAX) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  const data_base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return { type: 'image', image: { mime_type: file.type, data_base64 } }
}
