import { Readable } from 'node:stream'
import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { toText } from '../../../kernel/json/values.ts'
import type { Result } from '../../../upstream/http/errors.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import { type Principal, requireScope } from '../../auth/principal.ts'
import type { ChannelConnections } from '../../channels/connection/service.ts'
import { readHead } from '../../media/head.ts'
import { detectMediaType } from '../../media/media-types.ts'
import type { Media } from '../../media/service.ts'
import { findMediaId } from './detail.ts'
import type { ConsoleLog } from './service.ts'

/** Each holds two connections for as long as the client reads. */
const CONCURRENT_DOWNLOADS_MAX = 16

/** Types that a page may show. Any other file is downloaded. */
const SHOWN_TYPES = ['image/png', 'image/jpeg', 'image/webp']

type MessageFile = { type: string; isShown: boolean; name: string; content: Readable }

type Dependencies = {
  sql: Pool
  upstream: Upstream
  connections: ChannelConnections
  media: Media
  consoleLog: ConsoleLog
}

export type MessageFiles = ReturnType<typeof createMessageFiles>

/** The files of messages, as the upstream has them. */
export function createMessageFiles({ sql, upstream, connections, media, consoleLog }: Dependencies) {
  const concurrency = createConcurrencyLimit(CONCURRENT_DOWNLOADS_MAX, 'downloads_in_flight')

  return {
    /** The bytes decide whether it is an image, not what the sender or the upstream calls it. */
    async open(principal: Principal, id: string, signal: AbortSignal): Promise<MessageFile> {
      requireScope(principal, 'messages:read')
      const { organizationId } = principal
      const row = await consoleLog.find(organizationId, id)
      const mediaId = findMediaId(row)
      const { channel_id: channelId } = row
      const isOwn = mediaId !== null && (await media.belongsToChannel(organizationId, channelId, mediaId))
      if (!isOwn) throw notFound('file_not_found')

      using cleanup = new DisposableStack()
      const slot = cleanup.use(concurrency.acquire(organizationId))
      const { token } = await connections.credential(organizationId, channelId)
      const unwrap = <T>(result: Result<T>): T | Promise<never> =>
        result.ok ? result.value : connections.fail({ organizationId, id: channelId }, token, result.failure)
      const call = { name: 'console.media', method: 'GET' as const, to: [mediaId] }
      const { body } = await unwrap(await upstream.passthrough.call(token, call))
      const address = toText(body.url)
      if (address === null) throw new AppError('UPSTREAM_UNAVAILABLE', 'file_without_url')
      const file = await unwrap(await upstream.downloads.open(token, address, { range: undefined, signal }))
      if (file.kind !== 'file') throw notFound('file_not_found')
      cleanup.defer(() => file.content.destroy())
      await sql.begin((tx) => consoleLog.recordReveal(tx, principal, row, 'media'))
      const opened = await inspect(file.content)
      opened.content.once('close', () => {
        file.content.destroy()
        slot[Symbol.dispose]()
      })
      cleanup.move()
      return { ...opened, name: mediaId }
    },
  }
}

async function inspect(content: Readable): Promise<Omit<MessageFile, 'name'>> {
  const chunks = content[Symbol.asyncIterator]() as AsyncGenerator<Buffer>
  const head = await readHead(chunks)
  const detected = (await detectMediaType(head, '')) ?? ''
  const isShown = SHOWN_TYPES.includes(detected)
  async function* read(): AsyncGenerator<Buffer> {
    yield head
    yield* chunks
  }
  return { type: isShown ? detected : 'application/octet-stream', isShown, content: Readable.from(read()) }
}
