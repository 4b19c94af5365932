import { readFile } from 'node:fs/promises'
import { STYLESHEET_FILE } from '@hubline/locales/pages/stylesheet.ts'
import type { FastifyInstance } from 'fastify'
import { serveStaticAsset } from '../http/static-asset.ts'

export const STYLESHEET_PATH = '/assets/page.css'
/** The style sheet names the font beside itself. */
const FONT_PATH = '/assets/inter.woff2'
const FONT_FILE = '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2'

/** Serves the style sheet of all rendered pages, which the simulator shares, and the font of the dashboard. */
export async function pageAssetRoutes(app: FastifyInstance): Promise<void> {
  serveStaticAsset(app, STYLESHEET_PATH, {
    type: 'text/css; charset=utf-8',
    load: () => readFile(STYLESHEET_FILE),
  })
  serveStaticAsset(app, FONT_PATH, {
    type: 'font/woff2',
    load: () => readFile(new URL(import.meta.resolve(FONT_FILE))),
  })
}
