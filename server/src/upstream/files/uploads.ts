import { Readable } from 'node:stream'
import { isObject } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'

/** Uploads may be slow while bytes keep moving; this limit is for the largest file. */
const UPLOAD_MS_MAX = 10 * 60_000

/** The name is part of a URL, which the upstream limits. The end is kept, because it has the extension. */
const FILE_NAME_LENGTH_MAX = 200

/** A session id contains a query string of its own, and is used as a path unchanged. */
const SESSION_ID = /^upload:[\w:=+/-]{1,512}(\?sig=[\w=-]{1,256})?$/

type UploadFile = {
  content: AsyncIterable<Buffer>
  bytes: number
  mimeType: string
  filename: string
}

/** Uploads example files of templates to the app: opens an upload session, then sends the bytes to it. */
export function createUploadCalls(client: UpstreamClient, app: { url: string; version: string; appId: string }) {
  const base = new URL(app.url)

  function openSession(token: string, { bytes, mimeType, filename }: UploadFile): Promise<Result<string>> {
    return client.call({
      name: 'uploads.open',
      method: 'POST',
      to: [app.appId, 'uploads'],
      query: { file_length: bytes, file_type: mimeType, file_name: filename.slice(-FILE_NAME_LENGTH_MAX) },
      token,
      read: (body) => (isObject(body) && typeof body.id === 'string' && SESSION_ID.test(body.id) ? body.id : undefined),
    })
  }

  return {
    /** Uploads a file and returns its handle. The session id is a secret and stays here. */
    async createHandle(token: string, file: UploadFile): Promise<Result<{ h: string }>> {
      const session = await openSession(token, file)
      if (!session.ok) return session
      const to = new URL(`${base.pathname.replace(/\/+$/, '')}/${app.version}/${session.value}`, base.origin)
      using deadline = client.newDeadline(UPLOAD_MS_MAX)
      const body = Readable.from(withProgress(file.content, deadline.extend), { objectMode: false })
      return await client.call({
        name: 'uploads.fill',
        method: 'POST',
        to,
        file: { body, bytes: file.bytes },
        token,
        secrets: [session.value],
        deadline,
        read: readHandle,
      })
    },
  }
}

async function* withProgress(content: AsyncIterable<Buffer>, onProgress: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    onProgress()
    yield chunk
  }
}

function readHandle(body: unknown): { h: string } | undefined {
  return isObject(body) && typeof body.h === 'string' && body.h !== '' ? { h: body.h } : undefined
}
