import { HEAD_BYTES } from './media-types.ts'

/** Reads as many bytes of a file as its type is detected from, and leaves the rest unread. */
export async function readHead(content: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  while (length < HEAD_BYTES) {
    const { done, value } = await content.next()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  return Buffer.concat(chunks)
}
