import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import { invalidRequest } from '../../../kernel/errors.ts'
import { createSpooler, type Spool } from '../../../kernel/spool.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import { readHead } from '../../media/head.ts'
import { detectMediaType } from '../../media/media-types.ts'
import type { AllowedRequest, UpstreamCalls } from '../upstream-calls.ts'
import { EXAMPLE_BYTES_MAX, exampleTooLarge, invalidExample } from './examples.ts'

/** Each upload may hold the largest file on disk for as long as a slow client sends: contract.md#facade.header-handles-are-limited. */
const CONCURRENT_UPLOADS_MAX = { channel: 4, organization: 8 }

/** Files on disk, of all organizations together and of one. */
const SPOOL = { bytesMax: 1024 * 2 ** 20, ownerBytesMax: 256 * 2 ** 20 }

/** A file that is arriving. */
type Arriving = {
  content: AsyncGenerator<Buffer>
  filename: string
  /** Rejects if what follows the file is invalid. */
  finished?: Promise<void>
  /** The size that was announced. */
  bytes?: number
}
type Received = { file: Spool; mimeType: string; filename: string }

export type HandleUploads = ReturnType<typeof createHandleUploads>

export function createHandleUploads({ calls, upstream }: { calls: UpstreamCalls; upstream: Upstream }) {
  const { channel, organization } = CONCURRENT_UPLOADS_MAX
  const ofChannel = createConcurrencyLimit(channel, 'examples_of_channel_in_flight')
  const ofOrganization = createConcurrencyLimit(organization, 'examples_of_organization_in_flight')
  const spool = createSpooler(SPOOL)

  return {
    /**
     * Uploads a file to the app and returns its handle. The upstream needs the length before the first byte, and what
     * clients send does not give it or may be wrong, so the whole file is first stored on disk.
     */
    async create(request: AllowedRequest, receive: () => Promise<Arriving>): Promise<{ h: string }> {
      using _channelSlot = ofChannel.acquire(request.channelId)
      using _organizationSlot = ofOrganization.acquire(request.organizationId)
      const { file, mimeType, filename } = await store(request.organizationId, await receive(), spool)
      await using _file = file
      const { token } = request.credential
      const example = { content: file.content(), bytes: file.bytes, mimeType, filename }
      const { h } = await calls.unwrap(request, await upstream.uploads.createHandle(token, example))
      return { h }
    },
  }
}

async function store(
  organizationId: string,
  { content, filename, finished, bytes }: Arriving,
  spool: ReturnType<typeof createSpooler>,
): Promise<Received> {
  const head = await readHead(content)
  const mimeType = await detectMediaType(head, filename)
  const bytesMax = mimeType === undefined ? undefined : EXAMPLE_BYTES_MAX[mimeType]
  if (mimeType === undefined || bytesMax === undefined) {
    await content.return(undefined)
    throw invalidExample()
  }
  const file = await spool(organizationId, limitSize(head, content, mimeType, bytesMax))
  try {
    await finished
    if (bytes !== undefined && bytes !== file.bytes) {
      throw invalidRequest('file_length_differs', { parameters: { bytes: file.bytes, announced: bytes } })
    }
    return { file, mimeType, filename }
  } catch (err) {
    await file[Symbol.asyncDispose]()
    throw err
  }
}

async function* limitSize(head: Buffer, rest: AsyncIterable<Buffer>, mimeType: string, bytesMax: number) {
  let bytes = head.length
  if (bytes > bytesMax) throw exampleTooLarge(mimeType, bytesMax)
  yield head
  for await (const chunk of rest) {
    bytes += chunk.length
    if (bytes > bytesMax) throw exampleTooLarge(mimeType, bytesMax)
    yield chunk
  }
}
