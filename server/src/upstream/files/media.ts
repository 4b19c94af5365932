import { isObject, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import { buildNoResponseFailure, type Result, type UpstreamFailure } from '../http/errors.ts'
import { createMultipartForm, type FilePart } from '../http/multipart.ts'

/** The types of messages that are a file. */
export const MEDIA_TYPES: readonly string[] = ['image', 'video', 'audio', 'document', 'sticker']

/** Uploads may be slow while bytes keep moving; this limit is for the largest file. */
const UPLOAD_MS_MAX = 10 * 60_000

export function createMediaCalls({ call, newDeadline }: UpstreamClient) {
  return {
    /**
     * Streams a file to the upstream. The deadline restarts with each chunk, since
     * the length is unknown. An error thrown by `file` is rethrown to the caller.
     */
    async upload(token: string, phoneNumberId: string, part: FilePart): Promise<Result<{ id: string }>> {
      using deadline = newDeadline(UPLOAD_MS_MAX)
      const fields = { messaging_product: 'whatsapp', type: part.mimeType }
      const form = createMultipartForm(fields, part, deadline.extend)
      const result = await call({
        name: 'media.upload',
        method: 'POST',
        to: [phoneNumberId, 'media'],
        form,
        token,
        deadline,
        read: readId,
      })
      const failure = form.fileFailure()
      if (failure) throw failure.reason
      return result.ok && !form.isComplete() ? { ok: false, failure: buildEarlyResponseFailure() } : result
    },
  }
}

/** A success before the whole file was sent cannot refer to this file. */
function buildEarlyResponseFailure(): UpstreamFailure {
  const cause = new Error('The response came before the end of the file')
  return buildNoResponseFailure('write', { mayHaveTakenEffect: false, status: null, traceId: null, cause })
}

function readId(body: unknown): { id: string } | undefined {
  const id = isObject(body) ? toText(body.id) : null
  return id === null ? undefined : { id }
}
