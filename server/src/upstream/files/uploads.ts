import { Readable } from 'node:stream'
import type { Client } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { isObject } from '../json.ts'

/** A slow line may take its time, as long as bytes keep moving; this is as long as the largest file may take. */
const UPLOAD_MS_MAX = 10 * 60_000

/** It stands in an address, which must not grow too long for the upstream. Its end tells more than its beginning. */
const FILE_NAME_LENGTH_MAX = 200

/** The id of a session holds a query of its own, and is a path exactly as it was given. */
const SESSION = /^upload:[\w:=+/-]{1,512}(\?sig=[\w=-]{1,256})?$/

export type SessionFile = {
  content: AsyncIterable<Buffer>
  bytes: number
  mimeType: string
  filename: string
}

/** Uploads to the app itself, for the examples in templates: a session is opened, and then takes the bytes. */
export function createUploads(client: Client, app: { url: string; version: string; appId: string }) {
  const base = new URL(app.url)

  function openSession(token: string, { bytes, mimeType, filename }: SessionFile): Promise<Result<string>> {
    return client.call({
      name: 'uploads.open',
      method: 'POST',
      to: [app.appId, 'uploads'],
      query: { file_length: bytes, file_type: mimeType, file_name: filename.slice(-FILE_NAME_LENGTH_MAX) },
      token,
      read: (body) => (isObject(body) && typeof body.id === 'string' && SESSION.test(body.id) ? body.id : undefined),
    })
  }

  return {
    /** The handle of a file. The session's id goes no further than this. */
    async handle(token: string, file: SessionFile): Promise<Result<{ h: string }>> {
      const session = await openSession(token, file)
      if (!session.ok) return session
      const to = new URL(`${base.pathname.replace(/\/+$/, '')}/${app.version}/${session.value}`, base.origin)
      using deadline = client.newDeadline(UPLOAD_MS_MAX)
      const body = Readable.from(watched(file.content, deadline.extend), { objectMode: false })
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

async function* watched(content: AsyncIterable<Buffer>, onProgress: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    onProgress()
    yield chunk
  }
}

function readHandle(body: unknown): { h: string } | undefined {
  return isObject(body) && typeof body.h === 'string' && body.h !== '' ? { h: body.h } : undefined
}
