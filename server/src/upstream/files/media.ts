import type { Client } from '../http/client.ts'
import { type Result, silentFailure, type UpstreamFailure } from '../http/errors.ts'
import { createForm, type FilePart } from '../http/multipart.ts'
import { isObject, textOf } from '../json.ts'

/** A slow sender may take its time, as long as bytes keep moving; this is as long as the largest file may take. */
const UPLOAD_MS_MAX = 10 * 60_000

export function createMedia({ call, newDeadline }: Client) {
  return {
    /**
     * Streams a file through. The deadline counts from the last chunk that
     * moved, since nobody knows how long the file is. An error thrown by `file`
     * itself is the caller's own, and is thrown on to them.
     */
    async upload(token: string, phoneNumberId: string, part: FilePart): Promise<Result<{ id: string }>> {
      using deadline = newDeadline(UPLOAD_MS_MAX)
      const fields = { messaging_product: 'whatsapp', type: part.mimeType }
      const form = createForm(fields, part, deadline.extend)
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
      return result.ok && !form.isWhole() ? { ok: false, failure: tooEarly() } : result
    },
  }
}

/** Whoever says "done" before having seen the file means something else, or another file. */
function tooEarly(): UpstreamFailure {
  const cause = new Error('The answer came before the end of the file')
  return silentFailure('write', { mayBeDone: false, status: null, traceId: null, cause })
}

function readId(body: unknown): { id: string } | undefined {
  const id = isObject(body) ? textOf(body.id) : null
  return id === null ? undefined : { id }
}
