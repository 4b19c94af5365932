import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { serveStaticAsset } from '../../../kernel/http/static-asset.ts'

const FACEBOOK = 'https://connect.facebook.net https://www.facebook.com https://web.facebook.com'

/** Meta's script may run in the page only where its sign-up is used. */
function buildContentSecurityPolicy(mode: 'embedded_signup' | 'sandbox'): string {
  const meta = mode === 'embedded_signup' ? ` ${FACEBOOK}` : ''
  return [
    "default-src 'none'",
    `script-src 'self'${meta}`,
    "style-src 'self'",
    `img-src 'self' data:${meta}`,
    `connect-src 'self'${meta}`,
    ...(meta === '' ? [] : [`frame-src${meta}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const ASSETS: Record<string, { file: string; type: string }> = {
  '/connect/assets/connect.js': { file: 'connect.js', type: 'text/javascript; charset=utf-8' },
  '/connect/assets/translations.js': { file: 'translations.js', type: 'text/javascript; charset=utf-8' },
  '/connect/assets/connect.css': { file: 'connect.css', type: 'text/css; charset=utf-8' },
}

/** The page that a customer opens. It is the same for every link; its script loads the link from the API. */
export function connectPageRoutes(mode: 'embedded_signup' | 'sandbox'): FastifyPluginAsync {
  const policy = buildContentSecurityPolicy(mode)
  return async (app) => {
    for (const path of ['/connect', '/connect/:token']) {
      // No cache may keep the address, since the link is a credential.
      app.get(path, { schema: { hide: true } }, async (_request, reply) => {
        return (
          reply
            .type('text/html; charset=utf-8')
            .header('Content-Security-Policy', policy)
            // The sign-up opens in a window of another origin and posts its result to this one.
            .header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
            .send(await readFile(join(import.meta.dirname, 'connect.html')))
        )
      })
    }
    for (const [path, { file, type }] of Object.entries(ASSETS)) {
      serveStaticAsset(app, path, { type, load: () => readFile(join(import.meta.dirname, file)) })
    }
  }
}
