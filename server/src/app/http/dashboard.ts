import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../kernel/errors.ts'
import type { NotFoundPage } from '../../kernel/http/not-found.ts'
import { DASHBOARD_ASSETS, DASHBOARD_PAGES, isForPrograms } from './dashboard-addresses.ts'

/** `npm run build` writes these files. */
const BUILT = join(import.meta.dirname, '../../../../dashboard/dist')

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** Fonts and images are compressed already. */
const COMPRESSED = new Set(['.png', '.woff2'])
const NONCE_PLACE = '%CSP_NONCE%'
/** The name of an asset has the hash of its content. */
const FOREVER = 'public, max-age=31536000, immutable'

const NOT_BUILT = `<!doctype html><html lang="en"><title>Hubline</title>
<p>The dashboard is not built. Run <code>npm run build</code>, or start the hub with <code>npm start</code>.
<p>The API is there: <a href="/openapi.json">its description</a>.</html>`

type Asset = { body: Buffer; gzipped: Buffer | undefined; type: string }

const compress = promisify(gzip)

/** The dashboard: one page for every address, and the assets that it loads. */
export async function loadDashboard(
  directory = BUILT,
): Promise<{ routes: FastifyPluginAsync; notFoundPage: NotFoundPage }> {
  const names = new Set(await readdir(join(directory, 'assets')).catch(() => []))
  const assets = new Map<string, Promise<Asset>>()
  let page: Promise<string> | undefined

  function loadAsset(name: string): Promise<Asset> {
    const loading = assets.get(name) ?? readAsset(join(directory, 'assets', name))
    assets.set(name, loading)
    // The next request tries again: a file may be unreadable for a moment, for example without free descriptors.
    loading.catch(() => assets.delete(name))
    return loading
  }

  async function sendPage(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.type('text/html; charset=utf-8')
    if (names.size === 0) return reply.code(503).send(NOT_BUILT)
    page ??= readFile(join(directory, 'index.html'), 'utf8').catch((err: unknown) => {
      page = undefined
      throw err
    })
    const html = await page
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .header('Content-Security-Policy', buildPolicy(nonce))
      .header('Cache-Control', 'no-cache')
      .send(html.replace(NONCE_PLACE, nonce))
  }

  async function routes(app: FastifyInstance): Promise<void> {
    for (const path of DASHBOARD_PAGES) app.get(path, { schema: { hide: true } }, sendPage)
    app.get<{ Params: { file: string } }>(DASHBOARD_ASSETS, { schema: { hide: true } }, async (request, reply) => {
      const { file } = request.params
      if (!names.has(file)) throw notFound('asset_not_found')
      const { body, gzipped, type } = await loadAsset(file)
      const isGzipped = gzipped !== undefined && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      reply.type(type).headers({ 'Cache-Control': FOREVER, Vary: 'Accept-Encoding' })
      if (isGzipped) reply.header('Content-Encoding', 'gzip')
      return reply.send(isGzipped ? gzipped : body)
    })
  }
  return { routes, notFoundPage: { isFor: isNavigation, send: sendPage } }
}

/** A person who follows a link or types an address, and no program. */
function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '') && !isForPrograms(url)
}

async function readAsset(path: string): Promise<Asset> {
  const [body, extension] = [await readFile(path), extname(path)]
  return {
    body,
    gzipped: COMPRESSED.has(extension) ? undefined : await compress(body),
    type: TYPES[extension] ?? 'application/octet-stream',
  }
}

/** Images of a preview and of a code to scan are made in the page. */
function buildPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
