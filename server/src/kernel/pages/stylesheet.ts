import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveStaticAsset } from '../http/static-asset.ts'

export const STYLESHEET_PATH = '/assets/page.css'

/** The stylesheet of all rendered pages. */
export async function stylesheetRoutes(app: FastifyInstance): Promise<void> {
  serveStaticAsset(app, STYLESHEET_PATH, {
    type: 'text/css; charset=utf-8',
    load: () => readFile(join(import.meta.dirname, 'page.css')),
  })
}
