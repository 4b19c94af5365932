import type { IncomingMessage } from 'node:http'
import type { Language } from '@hubline/locales/languages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type AppError, invalidRequest } from '../errors.ts'
import { PUBLIC_BODY_BYTES_MAX, readBody } from '../http/body.ts'
import { installErrorPages } from '../http/error-handler.ts'
import { strictObject } from '../http/schemas.ts'
import { readLanguage } from './language.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const FORM = { bytesMax: PUBLIC_BODY_BYTES_MAX, timeoutMs: 20_000 }

/** The body of a form whose only field is a password. The handler checks it, and shows the form again. */
export const PasswordForm = strictObject({ password: Type.String() })

type PageOptions = {
  renderError: (language: Language, error: AppError, requestId: string) => string
  /**
   * By default a page has no referrer, and its form is posted with `Origin: null`. With this the browser sends the origin,
   * without a path, so that access control can refuse a form on another site.
   */
  sendsOrigin?: true
}

/** Makes the routes of a plugin pages: they take forms, need no script, and their errors are pages too. */
export function installPages(app: FastifyInstance, { renderError, sendsOrigin }: PageOptions): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (_request: FastifyRequest, payload: IncomingMessage) =>
      parseForm(await readBody(payload, { ...FORM, budget: app.bodyBudget })),
  )
  // Not at the beginning of the request: one that access control refuses has a page too.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    if (sendsOrigin) reply.header('Referrer-Policy', 'strict-origin')
  })
  installErrorPages(app, (request, error) => renderError(readLanguage(request), error, request.id))
}

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page)
}

function parseForm(bytes: Buffer): Record<string, string> {
  const form = Object.fromEntries(new URLSearchParams(bytes.toString()))
  // PostgreSQL cannot store a NUL, and no person types one.
  if (Object.values(form).some((value) => value.includes('\0'))) throw invalidRequest('form_nul_character')
  return form
}
