import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

type StaticAsset = {
  type: string
  /** Called at the first request, and again only after a failure. */
  load: () => Promise<string | Buffer>
  headers?: Record<string, string>
}

/**
 * Serves a file that is the same for every client and for as long as the process runs. It is read once and a browser
 * keeps it; each use costs a request with the response 304, so that an upgrade of the hub is seen at once.
 */
export function serveStaticAsset(app: FastifyInstance, path: string, { type, load, headers = {} }: StaticAsset): void {
  let loading: Promise<{ body: Buffer; etag: string }> | undefined

  async function loadOnce(): Promise<{ body: Buffer; etag: string }> {
    const body = Buffer.from(await load())
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }
  }

  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    loading ??= loadOnce().catch((err: unknown) => {
      // The next request tries again: a file may be unreadable for a moment, for example without free descriptors.
      loading = undefined
      throw err
    })
    const { body, etag } = await loading
    reply.headers({ ...headers, ETag: etag, 'Cache-Control': 'public, no-cache' })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(type).send(body)
  })
}

function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))
}
