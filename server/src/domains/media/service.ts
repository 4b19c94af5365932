import { createHash } from 'node:crypto'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/http/upload.ts'
import { toText } from '../../kernel/json/values.ts'
import type { ByteRange } from '../../upstream/files/byte-range.ts'
import type { Result } from '../../upstream/http/errors.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { ChannelConnections, Credential } from '../channels/connection/service.ts'
import { type FileResponse, toFileResponse } from './file-response.ts'
import { readHead } from './head.ts'
import { detectMediaType, MEDIA_BYTES_MAX } from './media-types.ts'
import * as store from './store.ts'

/** Limit of an organization. Each upload holds a client and an upstream connection for as long as the client takes: contract.md#media.transfers-are-limited. */
const CONCURRENT_UPLOADS_MAX = 64
/** Limit of an organization, through the API and the facade. */
const CONCURRENT_DOWNLOADS_MAX = 64

/** The upstream keeps a file for 30 days. After that its id is of no use. */
const MEDIA_DAYS = 40
const DELETE_BATCH_SIZE = 1000

type Key = { organizationId: string; channelId: string }
type Uploaded = { id: string; mime_type: string; size_bytes: number; sha256: string }
const TABLES = ['channel_media']

/** For the statement that takes callbacks. */
export const { buildReceivedMedia } = store
export type ReceivedMedia = store.ReceivedMedia

type Dependencies = { sql: Pool; upstream: Upstream; connections: ChannelConnections }

export type Media = ReturnType<typeof createMedia>

export function createMedia({ sql, upstream, connections }: Dependencies) {
  const uploads = createConcurrencyLimit(CONCURRENT_UPLOADS_MAX, 'uploads_in_flight')
  const downloads = createConcurrencyLimit(CONCURRENT_DOWNLOADS_MAX, 'downloads_in_flight')

  /** Streams a file to the upstream while it arrives, and records its upstream id as the channel's. */
  async function forwardUpload(
    key: Key,
    credential: Credential,
    receive: () => Promise<Upload>,
  ): Promise<Result<Uploaded>> {
    using _slot = uploads.acquire(key.organizationId)
    const { content, filename, finished } = await receive()
    const head = await readHead(content)
    const mimeType = await detectMediaType(head, filename)
    if (mimeType === undefined) {
      await content.return(undefined)
      throw invalidMedia()
    }

    const meter = createMeter(mimeType)
    const file = meter.measure(head, content)
    const { token, phoneNumberId } = credential
    const result = await upstream.media.upload(token, phoneNumberId, { file, filename, mimeType })
    const refusal = meter.refusal()
    if (refusal) throw refusal
    if (!result.ok) return result
    await finished

    const { sizeBytes, sha256 } = meter.totals()
    const { id } = result.value
    if (!(await store.insertMedia(sql, { ...key, mediaId: id, mimeType, sizeBytes, sha256 })))
      throw notFound('channel_not_found')
    return { ok: true, value: { id, mime_type: mimeType, size_bytes: sizeBytes, sha256 } }
  }

  return {
    /** Records files of inbound messages as those of the channel that received them. */
    async recordReceived(tx: Tx, media: store.ReceivedMedia[]): Promise<void> {
      if (media.length > 0) await store.insertReceived(tx, media)
    },

    /** Files that the channels cannot read through the hub any more. */
    async forget(
      tx: Tx,
      organizationId: string,
      media: readonly { channelId: string; mediaId: string }[],
    ): Promise<void> {
      if (media.length > 0) await store.deleteIds(tx, organizationId, media)
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteExpired(): Promise<void> {
      const batch = { olderDays: MEDIA_DAYS, limit: DELETE_BATCH_SIZE }
      while ((await store.deleteMedia(sql, batch)) === DELETE_BATCH_SIZE);
    },

    /** Returns true if the channel uploaded or received the file. */
    async belongsToChannel(organizationId: string, channelId: string, mediaId: string): Promise<boolean> {
      return store.exists(sql, { organizationId, channelId, mediaId })
    },

    /** A place among the downloads of an organization, until it is disposed of. */
    acquireDownload: (organizationId: string) => downloads.acquire(organizationId),

    /** Opens a file that the channel uploaded or received. The body of the response holds its place until it ends. */
    async open(
      { organizationId, channelId }: Key,
      mediaId: string,
      options: { range: ByteRange | undefined; signal: AbortSignal },
    ): Promise<FileResponse> {
      const channel = await connections.find({ organizationId, id: channelId })
      // A file that is not the channel's does not exist, also for a channel without a connection.
      if (!(await store.exists(sql, { organizationId, channelId, mediaId }))) throw notFound('file_not_found')
      const { token } = connections.openCredential(organizationId, channel)
      using cleanup = new DisposableStack()
      const slot = cleanup.use(downloads.acquire(organizationId))
      const unwrap = <T>(result: Result<T>): T | Promise<never> =>
        result.ok ? result.value : connections.fail({ organizationId, id: channelId }, token, result.failure)
      const node = await unwrap(
        await upstream.passthrough.call(token, { name: 'media.get', method: 'GET', to: [mediaId] }),
      )
      const address = toText(node.body.url)
      if (address === null) throw new AppError('UPSTREAM_UNAVAILABLE', 'file_without_url')
      const response = toFileResponse(mediaId, await unwrap(await upstream.downloads.open(token, address, options)))
      response.body.once('close', () => slot[Symbol.dispose]())
      cleanup.move()
      return response
    },

    forwardUpload,
    async upload(organizationId: string, channelId: string, receive: () => Promise<Upload>): Promise<Uploaded> {
      const credential = await connections.credential(organizationId, channelId)
      const result = await forwardUpload({ organizationId, channelId }, credential, receive)
      if (!result.ok) return connections.fail({ organizationId, id: channelId }, credential.token, result.failure)
      return result.value
    },
  }
}

/** Counts and hashes the bytes of a file, and ends the stream with an error above the type's limit. */
function createMeter(mimeType: string) {
  const bytesMax = MEDIA_BYTES_MAX[mimeType] ?? 0
  const hash = createHash('sha256')
  let sizeBytes = 0
  let tooLarge: AppError | undefined

  function count(chunk: Buffer): Buffer {
    sizeBytes += chunk.length
    if (sizeBytes > bytesMax) {
      tooLarge = new AppError('MEDIA_TOO_LARGE', 'file_too_large', {
        parameters: { type: mimeType, maximum: bytesMax },
        details: { mime_type: mimeType, bytes_max: bytesMax },
      })
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
  return new AppError('INVALID_MEDIA', 'media_type_not_accepted', {
    details: { allowed: Object.keys(MEDIA_BYTES_MAX) },
  })
}
