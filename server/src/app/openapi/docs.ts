import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync } from 'fastify'
import { serveStaticAsset } from '../../kernel/http/static-asset.ts'

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light">
    <title>Hubline API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The plain document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
  </body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
})
`

/** The API reference. It loads nothing from other hosts, so it works without a network. */
export const docsRoutes: FastifyPluginAsync = async (app) => {
  const assets: Record<string, { type: string; load: () => Promise<string | Buffer> }> = {
    '/docs': { type: 'text/html; charset=utf-8', load: async () => PAGE },
    '/docs/start.js': { type: 'text/javascript; charset=utf-8', load: async () => START },
    '/docs/swagger-ui.css': {
      type: 'text/css; charset=utf-8',
      load: () => readFile(join(SWAGGER_UI, 'swagger-ui.css')),
    },
    '/docs/swagger-ui-bundle.js': {
      type: 'text/javascript; charset=utf-8',
      load: () => readFile(join(SWAGGER_UI, 'swagger-ui-bundle.js')),
    },
  }
  for (const [path, { type, load }] of Object.entries(assets)) {
    serveStaticAsset(app, path, { type, load, headers: { 'Content-Security-Policy': POLICY } })
  }
}
