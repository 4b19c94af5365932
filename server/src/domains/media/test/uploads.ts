import type { TestContext } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'

const BOUNDARY = 'hubline-test-boundary'
export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const CHUNK_BYTES = 64 * 1024

export type Part = { field?: string; name?: string | null; type?: string; bytes: Buffer | string }

/** A connected channel and the path of its uploads. */
export async function startChannel(t: TestContext, env: Record<string, string> = {}) {
  const setup = await startHubWithUpstream(t, { env })
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  const path = `/api/v1/channels/${channel.id}/media`

  /** The media ids that are recorded for a channel. */
  async function registered(channelId = channel.id): Promise<string[]> {
    const rows = await setup.hub.sql<{ media_id: string }[]>`
      select media_id from channel_media where channel_id = ${channelId}`
    return rows.map((row) => row.media_id)
  }
  /** The file that the upstream stored under an id. */
  async function stored(id: string) {
    const answer = await fetch(`${setup.up.simulator.url}/v25.0/${id}`, {
      headers: { authorization: `Bearer ${channel.number.accessToken}` },
    })
    return (await answer.json()) as { mime_type: string; sha256: string; file_size: number }
  }
  return { ...setup, acme, channel, path, registered, stored }
}

/** A form as a browser writes it. */
export function buildForm(parts: Part[]): Buffer<ArrayBuffer> {
  const written = parts.flatMap((part) => [buildPartHead(part), Buffer.from(part.bytes), Buffer.from('\r\n')])
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

export function buildPartHead({ field = 'file', name = 'a.bin', type }: Omit<Part, 'bytes'>): Buffer {
  const filename = name === null ? '' : `; filename="${name}"`
  const contentType = type === undefined ? '' : `\r\nContent-Type: ${type}`
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${filename}${contentType}\r\n\r\n`,
  )
}

/** Uploads one file with its length known beforehand. */
export function upload(client: Client, path: string, bytes: Buffer, part: Omit<Part, 'bytes'> = {}) {
  return client.send('POST', path, { raw: buildForm([{ ...part, bytes }]), headers: MULTIPART })
}

/** Uploads one file with chunked encoding, without a Content-Length. */
export async function uploadChunked(url: string, key: string, bytes: Buffer, part: Omit<Part, 'bytes'> = {}) {
  const form = buildForm([{ ...part, bytes }])
  async function* chunks() {
    for (let at = 0; at < form.length; at += CHUNK_BYTES) yield form.subarray(at, at + CHUNK_BYTES)
  }
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...MULTIPART, authorization: `Bearer ${key}` },
    body: ReadableStream.from(chunks()),
    duplex: 'half',
  })
  return { status: answer.status, body: await answer.json() }
}
