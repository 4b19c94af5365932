import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { receiveUpload } from '../../kernel/http/upload.ts'
import { type Spool, spool } from '../../kernel/spool.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import { readHead } from '../media/head.ts'
import { mediaTypeOf } from '../media/media-types.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import type { Asking, Visit } from './asking-service.ts'
import { HANDLE_BYTES_MAX, invalidExample, tooLargeExample } from './examples.ts'

/** Each may take its largest file's room on disk, and a slow sender takes long. */
const AT_ONCE_MAX = 4

type Received = { file: Spool; mimeType: string; filename: string }

export function createHeaderHandles({ asking, upstream }: { asking: Asking; upstream: Upstream }) {
  const concurrency = createConcurrencyLimit(AT_ONCE_MAX, 'examples of a channel')

  return {
    /**
     * Uploads an example for the header of a template. The upstream wants to
     * know the length before the first byte, and a form does not tell it, so the
     * file waits on disk until it is whole.
     */
    async makeHandle(visit: Visit): Promise<Answer> {
      using _place = concurrency.acquire(visit.channelId)
      const { file, mimeType, filename } = await receive(visit)
      await using _file = file
      const { token } = visit.credential
      const example = { content: file.content(), bytes: file.bytes, mimeType, filename }
      const { h } = await asking.valueIn(visit, await upstream.uploads.createHandle(token, example))
      return jsonAnswer(JSON.stringify({ h }))
    },
  }
}

async function receive({ raw }: Visit): Promise<Received> {
  const { content, filename, finished } = await receiveUpload(raw, 'file')
  const head = await readHead(content)
  const mimeType = await mediaTypeOf(head, filename)
  const bytesMax = mimeType === undefined ? undefined : HANDLE_BYTES_MAX[mimeType]
  if (mimeType === undefined || bytesMax === undefined) {
    await content.return(undefined)
    throw invalidExample()
  }
  const file = await spool(bounded(head, content, mimeType, bytesMax))
  try {
    await finished
    return { file, mimeType, filename }
  } catch (err) {
    await file[Symbol.asyncDispose]()
    throw err
  }
}

async function* bounded(head: Buffer, rest: AsyncIterable<Buffer>, mimeType: string, bytesMax: number) {
  let bytes = head.length
  if (bytes > bytesMax) throw tooLargeExample(mimeType, bytesMax)
  yield head
  for await (const chunk of rest) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLargeExample(mimeType, bytesMax)
    yield chunk
  }
}
