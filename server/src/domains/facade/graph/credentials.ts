import type { IncomingMessage } from 'node:http'
import { readTokenKind } from '../../../kernel/crypto/tokens.ts'
import { AppError } from '../../../kernel/errors.ts'
import { isRawUpload } from '../allowlist/allowlist.ts'
import { requireFewFields } from '../writing/body.ts'
import { cutTokens, findGraphRequest, type GraphRequest } from './tokens.ts'

const FORM = /^application\/x-www-form-urlencoded\b/i
const NO_BODY_METHODS = new Set(['GET', 'HEAD'])
/** A credential of the hub, or an access token of the upstream. One within a longer word is a part of a cursor. */
const CREDENTIAL = /(?<![0-9A-Za-z])(?:hub_[a-z]{2}_[0-9A-Za-z]{20}|EAA[A-Za-z0-9]{20})/

export function requireGraphRequest(request: IncomingMessage): GraphRequest {
  const found = findGraphRequest(request)
  if (!found) throw new Error('A request to /graph was not prepared')
  return found
}

/** Returns true if only the body can have the token: then it is read before the request is authenticated. */
export function awaitsForm(request: IncomingMessage): boolean {
  // The bytes of a file are no form, even if the client calls them one.
  if (isRawUpload(request.url ?? '')) return false
  const { query, form } = requireGraphRequest(request)
  const { authorization, 'content-type': contentType = '' } = request.headers
  if (authorization !== undefined || query.access_token.count > 0 || form) return false
  return !NO_BODY_METHODS.has(request.method ?? '') && FORM.test(contentType)
}

/** Takes the tokens out of a form, and returns the form without them. */
export function takeFormTokens(request: IncomingMessage, bytes: Buffer): Buffer {
  requireFewFields(bytes)
  const { rest, tokens } = cutTokens(bytes.toString('latin1'))
  requireGraphRequest(request).form = tokens
  return Buffer.from(rest, 'latin1')
}

/** The channel token of a request, from its header, its query or its form. Where it is given twice, both must be equal. */
export function readGraphToken(request: IncomingMessage, { allowsParameters }: { allowsParameters: boolean }): string {
  const { query, form } = requireGraphRequest(request)
  const header = readHeader(request)
  const parameters = [query.access_token, ...(form ? [form.access_token] : [])]
  if (parameters.some(({ count }) => count > 1)) throw new AppError('UNAUTHORIZED', 'graph_token_repeated')
  const given = parameters.flatMap(({ values }) => values)
  if (given.length > 0 && !allowsParameters) {
    throw new AppError('UNAUTHORIZED', 'graph_token_not_in_header')
  }
  const [token, ...others] = [...(header === undefined ? [] : [header]), ...given]
  if (token === undefined) throw new AppError('UNAUTHORIZED', 'graph_token_missing')
  if (others.some((other) => other !== token)) throw new AppError('UNAUTHORIZED', 'graph_tokens_differ')
  if (readTokenKind(token) !== 'channel_token') throw new AppError('UNAUTHORIZED', 'graph_token_of_other_kind')
  requireNoOtherCredential(request)
  return token
}

/** Node keeps the first of several headers, and software in between may have checked the last. */
function readHeader({ headers: { authorization }, headersDistinct }: IncomingMessage): string | undefined {
  if ((headersDistinct.authorization ?? []).length > 1) throw new AppError('UNAUTHORIZED', 'graph_header_repeated')
  if (authorization === undefined) return undefined
  const [, token] = /^(?:Bearer|OAuth) +(\S+)$/i.exec(authorization) ?? []
  if (token === undefined) throw new AppError('UNAUTHORIZED', 'graph_header_malformed')
  return token
}

/** A credential under another name would be ignored, and its owner would not notice that it is in an address. */
function requireNoOtherCredential({ url = '' }: IncomingMessage): void {
  const [path = ''] = url.split('?', 1)
  if (![...new URLSearchParams(url.slice(path.length))].flat().some((text) => CREDENTIAL.test(text))) return
  throw new AppError('UNAUTHORIZED', 'graph_token_in_query')
}
