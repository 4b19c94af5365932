import { createHash } from 'node:crypto'
import type { Pool } from '../../kernel/db/pool.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/http/upload.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Connections } from '../channels/connection/service.ts'
import { HEAD_BYTES, MEDIA_BYTES_MAX, mediaTypeOf } from './media-types.ts'
import * as store from './store.ts'

type Dependencies = { sql: Pool; upstream: Upstream; connections: Connections }

export type Media = ReturnType<typeof createMedia>

export function createMedia({ sql, upstream, connections }: Dependencies) {
  return {
    /** Passes a file on to the upstream while it arrives. The id it gets there belongs to the channel from then on. */
    async upload(organizationId: string, channelId: string, receive: () => Promise<Upload>) {
      const { token, phoneNumberId } = await connections.credential(organizationId, channelId)
      const { content, filename, finished } = await receive()
      const head = await readHead(content)
      const mimeType = await mediaTypeOf(head, filename)
      if (mimeType === undefined) {
        await content.return(undefined)
        throw invalidMedia()
      }

      const meter = createMeter(mimeType)
      const file = meter.measure(head, content)
      const result = await upstream.media.upload(token, phoneNumberId, { file, filename, mimeType })
      if (meter.refusal()) throw meter.refusal()
      if (!result.ok) return connections.fail({ organizationId, id: channelId }, token, result.failure)
      await finished

      const { sizeBytes, sha256 } = meter.totals()
      if (
        !(await store.insertMedia(sql, {
          organizationId,
          channelId,
          mediaId: result.value.id,
          mimeType,
          sizeBytes,
          sha256,
        }))
      )
        throw notFound('Channel')
      return { id: result.value.id, mime_type: mimeType, size_bytes: sizeBytes, sha256 }
    },
  }
}

/** The first bytes, which tell the type. The rest stays unread. */
async function readHead(content: AsyncGenerator<Buffer>): Promise<Buffer> {
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

/** Counts and hashes what passes through, and stops it at the type's limit. */
function createMeter(mimeType: string) {
  const bytesMax = MEDIA_BYTES_MAX[mimeType] ?? 0
  const hash = createHash('sha256')
  let sizeBytes = 0
  let tooLarge: AppError | undefined

  function count(chunk: Buffer): Buffer {
    sizeBytes += chunk.length
    if (sizeBytes > bytesMax) {
      const message = `A file of type ${mimeType} may have ${bytesMax} bytes at most.`
      tooLarge = new AppError('MEDIA_TOO_LARGE', message, { details: { mime_type: mimeType, bytes_max: bytesMax } })
      throw tooLarge
    }
    hash.update(chunk)
    return chunk
  }

  return {
    async *measure(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      yield count(head)
      for await (const chunk of rest) yield count(chunk)
    },
    refusal: () => tooLarge,
    totals: () => ({ sizeBytes, sha256: hash.digest('hex') }),
  }
}

function invalidMedia(): AppError {
  const message = 'The file is of a type that the upstream does not take. Its bytes decide, not its name.'
  return new AppError('INVALID_MEDIA', message, { details: { allowed: Object.keys(MEDIA_BYTES_MAX) } })
}
