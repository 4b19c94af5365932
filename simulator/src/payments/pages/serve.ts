import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAllowedOrigin } from '../../control/signup.ts'
import { readBody } from '../../http/parameters.ts'
import type { Payments } from '../context.ts'
import { chooseLanguage, html, type PageRequest, type PageResponse, renderDocument } from './html.ts'
import { serveCheckout, serveInvoice } from './payment-pages.ts'
import { servePortal } from './portal-page.ts'

interface Parts {
  payments: Payments
  allowedOrigins: readonly string[]
}

type Serve = (payments: Payments, key: string, request: PageRequest) => PageResponse | undefined

const PAGES: readonly [path: RegExp, serve: Serve][] = [
  [/^\/c\/pay\/([^/?]+)/, serveCheckout],
  [/^\/p\/session\/([^/?]+)/, servePortal],
  [/^\/i\/([^/?]+)/, serveInvoice],
]

export function isPage(url: string): boolean {
  return PAGES.some(([path]) => path.test(url))
}

/** Serves the pages that Stripe hosts. The webhooks of a form are delivered before its response is sent. */
export async function servePage(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { payments, allowedOrigins } = parts
  const body = (await readBody(request)) ?? Buffer.alloc(0)
  const isPost = request.method === 'POST'
  const { origin } = request.headers
  // Pages of other sites, open in the same browser, must not submit these forms.
  const isForeign = origin !== undefined && !(URL.canParse(origin) && isAllowedOrigin(new URL(origin), allowedOrigins))
  if (isPost && isForeign) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('Forms of other sites are refused.')
    return
  }
  const language = chooseLanguage(request.headers['accept-language'])
  const form = isPost ? new URLSearchParams(body.toString()) : undefined
  const result = runPage(payments, request.url ?? '/', { form, language })
  if (isPost) {
    payments.save()
    await payments.clock.settle()
  }
  if ('redirect' in result) {
    response.writeHead(303, { location: result.redirect, 'cache-control': 'no-store' }).end()
    return
  }
  // The nonce protects a real browser, so it does not come from the seed.
  const nonce = randomBytes(16).toString('base64url')
  response.writeHead(result.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    // With `no-referrer` browsers send `Origin: null` with the page's own form, which is refused.
    'referrer-policy': 'same-origin',
  })
  response.end(renderDocument(language, result.page, nonce))
}

function runPage(payments: Payments, url: string, request: PageRequest): PageResponse {
  for (const [path, serve] of PAGES) {
    const [, key] = path.exec(url) ?? []
    const result = key === undefined ? undefined : serve(payments, key, request)
    if (result) return result
  }
  const { t } = request.language
  const body = html`<p>${t('The address is wrong, or the page is gone.', 'O endereço está errado ou a página não existe.')}</p>`
  return { status: 404, page: { title: t('Page not found', 'Página não encontrada'), body } }
}
