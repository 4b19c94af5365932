import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog } from '@hubline/locales/catalog.ts'
import { INTL_LOCALES, LANGUAGE_NAMES, LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/connect/en.ts'
import { es } from '@hubline/locales/pages/connect/es.ts'
import { ptBR } from '@hubline/locales/pages/connect/pt-BR.ts'
import type { FastifyPluginAsync } from 'fastify'
import { serveStaticAsset } from '../../../kernel/http/static-asset.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import { escapeHtml } from '../../../kernel/pages/html.ts'
import { readLanguage } from '../../../kernel/pages/language.ts'

const FACEBOOK = 'https://connect.facebook.net https://www.facebook.com https://web.facebook.com'

/** Meta's script may run in the page only where its sign-up is used. */
function buildContentSecurityPolicy(mode: 'embedded_signup' | 'sandbox'): string {
  const meta = mode === 'embedded_signup' ? ` ${FACEBOOK}` : ''
  return [
    "default-src 'none'",
    `script-src 'self'${meta}`,
    "style-src 'self'",
    "font-src 'self'",
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
  '/connect/assets/languages.js': { file: 'languages.js', type: 'text/javascript; charset=utf-8' },
  '/connect/assets/connect.css': { file: 'connect.css', type: 'text/css; charset=utf-8' },
}

const TRANSLATIONS: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

/** The script of the page adds what the link says, and the texts of another language that the person chooses. */
async function renderConnectPage(language: Language): Promise<string> {
  const texts = Object.entries(TRANSLATIONS[language]).map(([key, text]) => [key, escapeHtml(String(text))])
  const page = await readFile(join(import.meta.dirname, 'connect.html'), 'utf8')
  return fillText(page.replace('lang="en"', `lang="${language}"`), {
    ...Object.fromEntries(texts),
    options: LANGUAGES.map((name) => `<option value="${name}">${LANGUAGE_NAMES[name]}</option>`).join(''),
  })
}

/** The page that a customer opens. It is the same for every link; its script loads the link from the API. */
export function connectPageRoutes(mode: 'embedded_signup' | 'sandbox'): FastifyPluginAsync {
  const policy = buildContentSecurityPolicy(mode)
  return async (app) => {
    for (const path of ['/connect', '/connect/:token']) {
      // No cache may keep the address, since the link is a credential.
      app.get(path, { schema: { hide: true } }, async (request, reply) => {
        return (
          reply
            .type('text/html; charset=utf-8')
            .header('Content-Security-Policy', policy)
            // The sign-up opens in a window of another origin and posts its result to this one.
            .header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
            .send(await renderConnectPage(readLanguage(request)))
        )
      })
    }
    const texts = `export const TRANSLATIONS = ${JSON.stringify(TRANSLATIONS)}\nexport const INTL_LOCALES = ${JSON.stringify(INTL_LOCALES)}\n`
    serveStaticAsset(app, '/connect/assets/translations.js', {
      type: 'text/javascript; charset=utf-8',
      load: async () => Buffer.from(texts),
    })
    for (const [path, { file, type }] of Object.entries(ASSETS)) {
      serveStaticAsset(app, path, { type, load: () => readFile(join(import.meta.dirname, file)) })
    }
  }
}
