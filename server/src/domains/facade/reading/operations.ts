import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { toList, toText } from '../../../kernel/json/values.ts'
import { parseRange } from '../../../upstream/files/byte-range.ts'
import type { PassthroughCall } from '../../../upstream/resources/passthrough.ts'
import type { Upstream } from '../../../upstream/upstream.ts'
import { toFileResponse } from '../../media/file-response.ts'
import type { Media } from '../../media/service.ts'
import type { TemplateStates } from '../../templates/sendability/service.ts'
import type { Mount } from '../allowlist/allowlist.ts'
import { findGraphRequest } from '../graph/tokens.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import { type AllowedRequest, refuseOtherNumber, type UpstreamCalls } from '../upstream-calls.ts'
import { parseAccountFields, parsePlainFields, pickAccountFields, pickPlainFields } from './fields.ts'
import {
  GRAPH_NUMBER_FIELDS,
  NUMBER_FIELDS,
  PROFILE_FIELDS,
  TEMPLATE_FIELDS,
  TEMPLATE_SUMMARY_FIELDS,
} from './known-fields.ts'
import { createLinkRewriter, removePagingLinks, rewritePagingLinks } from './paging-links.ts'

/** A page of a few hundred templates is longer than any other response. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024

/** The number of templates that an account may have without verification. */
const LONG_PAGE = 250

/** The cursor of a list that has one page. Clients compare cursors, and some expect a text. */
const ONLY_PAGE = 'MA'

type Dependencies = {
  now: Clock
  calls: UpstreamCalls
  upstream: Upstream
  media: Pick<Media, 'acquireDownload'>
  urls: Record<Mount, string>
  templateStates: Pick<TemplateStates, 'recordListing'>
}

export function createReadOperations({ now, calls, upstream, media, urls, templateStates }: Dependencies) {
  /** An address at the mount to which the request came. */
  const buildUrl = ({ mount, id }: AllowedRequest, edge: string) => [urls[mount], id, edge].join('/')

  async function read(
    request: AllowedRequest,
    call: Omit<PassthroughCall, 'method' | 'to'> & { edge?: string },
  ): Promise<FacadeResponse> {
    const { edge, ...rest } = call
    const to = edge === undefined ? [request.id] : [request.id, edge]
    const { text, exact } = await calls.call(request, { ...rest, method: 'GET', to })
    return toJsonResponse(text.includes('paging') ? JSON.stringify(removePagingLinks(exact)) : text)
  }

  return {
    readNumber: (request: AllowedRequest) =>
      read(request, {
        name: 'facade.number',
        query: { fields: readFields(request, request.mount === 'graph' ? GRAPH_NUMBER_FIELDS : NUMBER_FIELDS) },
      }),

    /** The account may have other numbers, so the list is made of the channel's own. */
    async listNumbers(request: AllowedRequest): Promise<FacadeResponse> {
      const { credential, query } = request
      const isPastEnd = query.after !== undefined || query.before !== undefined
      if (isPastEnd) return toJsonResponse(JSON.stringify({ data: [] }))
      const { exact } = await calls.call(request, {
        name: 'facade.numbers',
        method: 'GET',
        to: [credential.phoneNumberId],
        query: { fields: readFields(request, NUMBER_FIELDS) },
      })
      const paging = { cursors: { before: ONLY_PAGE, after: ONLY_PAGE } }
      return toJsonResponse(JSON.stringify({ data: [removePagingLinks(exact)], paging }))
    },

    readProfile: (request: AllowedRequest) =>
      read(request, {
        name: 'facade.profile',
        edge: 'whatsapp_business_profile',
        query: { fields: readFields(request, PROFILE_FIELDS) },
      }),

    readAccount: (request: AllowedRequest) =>
      read(request, { name: 'facade.account', query: { fields: readAccountFields(request) } }),

    async listTemplates(request: AllowedRequest): Promise<FacadeResponse> {
      const fields = readFields(request, TEMPLATE_FIELDS)
      const askedAt = now()
      const { exact } = await calls.call(request, {
        name: 'facade.templates',
        method: 'GET',
        to: [request.id, 'message_templates'],
        query: {
          ...request.query,
          limit: request.query.limit ?? chooseLimit(request),
          fields,
          summary: pickSummary(request.query.summary),
        },
        responseBytesMax: PAGE_BYTES_MAX,
      })
      const { organizationId, credential } = request
      await templateStates.recordListing({ organizationId, wabaId: credential.wabaId }, toList(exact.data), askedAt)
      const page = createLinkRewriter(buildUrl(request, 'message_templates'), request.parameters)
      return toJsonResponse(JSON.stringify(rewritePagingLinks(exact, page)))
    },

    readTemplate: (request: AllowedRequest) =>
      read(request, { name: 'facade.template', query: { fields: readFields(request, TEMPLATE_FIELDS) } }),

    async readMedia(request: AllowedRequest): Promise<FacadeResponse> {
      refuseOtherNumber(request)
      const { exact } = await calls.call(request, { ...MEDIA_NODE, to: [request.id], query: request.query })
      const node = 'url' in exact ? { ...exact, url: buildUrl(request, 'content') } : exact
      return toJsonResponse(JSON.stringify(removePagingLinks(node)))
    },

    /** The upstream's file URL is valid for minutes, so each download requests a new one. */
    async downloadMedia(request: AllowedRequest): Promise<FacadeResponse> {
      using cleanup = new DisposableStack()
      const slot = cleanup.use(media.acquireDownload(request.organizationId))
      const { body } = await calls.call(request, { ...MEDIA_NODE, to: [request.id] })
      const address = toText(body.url)
      if (address === null) throw new AppError('UPSTREAM_UNAVAILABLE', 'file_without_url')
      const options = { range: parseRange(request.range), signal: request.signal }
      const result = await upstream.downloads.open(request.credential.token, address, options)
      const response = toFileResponse(request.id, await calls.unwrap(request, result))
      // The body now owns the slot, until it ends or the client disconnects.
      response.body.once('close', () => slot[Symbol.dispose]())
      cleanup.move()
      return response
    },
  }
}

/** Links have no token, so that a client whose token is in the query reads only the first page: it gets a long one. */
function chooseLimit({ raw }: AllowedRequest): number | undefined {
  const isTokenInQuery = (findGraphRequest(raw)?.query.access_token.count ?? 0) > 0
  return isTokenInQuery ? LONG_PAGE : undefined
}

function readFields({ mount, query }: AllowedRequest, known: readonly string[]): string | undefined {
  return mount === 'graph' ? pickPlainFields(query.fields, known) : parsePlainFields(query.fields, known)
}

/** Unknown names are left out, like unknown fields. */
function pickSummary(text: string | undefined): string | undefined {
  return pickPlainFields(text, TEMPLATE_SUMMARY_FIELDS, '') || undefined
}

function readAccountFields({ mount, query }: AllowedRequest): string {
  return mount === 'graph' ? pickAccountFields(query.fields) : parseAccountFields(query.fields)
}

const MEDIA_NODE = { name: 'facade.media', method: 'GET' } as const
