import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import { receiveUpload } from '../../../kernel/http/upload.ts'
import { createSpooler, type Spool } from '../../../kernel/spool.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import { readHead } from '../../media/head.ts'
import { detectMediaType } from '../../media/media-types.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import type { AllowedRequest, UpstreamCalls } from '../upstream-calls.ts'
import { EXAMPLE_BYTES_MAX, exampleTooLarge, invalidExample } from './examples.ts'

/** Each upload may hold the largest file on disk for as long as a slow client sends: spec-gaps.md#files-under-way. */
const CONCURRENT_UPLOADS_MAX = { channel: 4, organization: 8 }

/** Files on disk, of all organizations together and of one. */
const SPOOL = { bytesMax: 1024 * 2 ** 20, ownerBytesMax: 256 * 2 ** 20 }

/** The field that clients of the upstream send beside a file. */
const FORM_FIELDS = { messaging_product: ['whatsapp'] }

type Received = { file: Spool; mimeType: string; filename: string }

export function createHeaderHandleOperations({ calls, upstream }: { calls: UpstreamCalls; upstream: Upstream }) {
  const { channel, organization } = CONCURRENT_UPLOADS_MAX
  const ofChannel = createConcurrencyLimit(channel, 'uploads of examples of a channel')
  const ofOrganization = createConcurrencyLimit(organization, 'uploads of examples of an organization')
  const spool = createSpooler(SPOOL)

  return {
    /**
     * Uploads an example for the header of a template. The upstream needs the length before
     * the first byte and a form does not give it, so the whole file is first stored on disk.
     */
    async createHandle(request: AllowedRequest): Promise<FacadeResponse> {
      using _channelSlot = ofChannel.acquire(request.channelId)
      using _organizationSlot = ofOrganization.acquire(request.organizationId)
      const { file, mimeType, filename } = await receive(request, spool)
      await using _file = file
      const { token } = request.credential
      const example = { content: file.content(), bytes: file.bytes, mimeType, filename }
      const { h } = await calls.unwrap(request, await upstream.uploads.createHandle(token, example))
      return toJsonResponse(JSON.stringify({ h }))
    },
  }
}

async function receive(
  { raw, organizationId, mount }: AllowedRequest,
  spool: ReturnType<typeof createSpooler>,
): Promise<Received> {
  const { content, filename, finished } = await receiveUpload(raw, 'file', FORM_FIELDS, {
    ignoresFields: mount === 'graph',
  })
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
