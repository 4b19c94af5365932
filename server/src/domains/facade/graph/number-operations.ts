import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidRequest } from '../../../kernel/errors.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'
import type { PassthroughCall, PassthroughResponse } from '../../../upstream/resources/passthrough.ts'
import type { Audit } from '../../audit/service.ts'
import { UpstreamCallError } from '../errors.ts'
import { pickPlainFields } from '../reading/fields.ts'
import { createLinkRewriter, rewritePagingLinks } from '../reading/paging-links.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import type { AllowedRequest, UpstreamCalls } from '../upstream-calls.ts'
import { readRowParameters } from './leniency.ts'

/** Some of the people were blocked or unblocked, and the rest were refused. */
const PARTLY_DONE = 139100

/** The address of the image has a format, which clients ask for in this form. */
const QR_CODE_FIELDS = [
  'code',
  'prefilled_message',
  'deep_link_url',
  'qr_image_url',
  'qr_image_url.format(SVG)',
  'qr_image_url.format(PNG)',
]

type Edge =
  | 'block_users'
  | 'message_qrdls'
  | 'conversational_automation'
  | 'whatsapp_commerce_settings'
  | 'whatsapp_business_encryption'
  | 'username'
  | 'settings'

type Parameters = Pick<PassthroughCall, 'query' | 'json' | 'fields'>
type Operation = (request: AllowedRequest) => Promise<FacadeResponse>

type Dependencies = { sql: Pool; calls: UpstreamCalls; audit: Audit; graphUrl: string }

/** The settings of a number. The table of paths has the parameters of each: no other one is forwarded. */
export function createNumberOperations({ sql, calls, audit, graphUrl }: Dependencies) {
  const read =
    (edge: Edge, known?: readonly string[]): Operation =>
    async (request) => {
      const fields = known && pickPlainFields(request.query.fields, known, 'code')
      const query = { ...request.query, fields }
      const { exact } = await calls.call(request, {
        name: `graph.${edge}`,
        method: 'GET',
        to: toPath(request, edge),
        query,
      })
      const page = createLinkRewriter(`${graphUrl}/${request.id}/${edge}`, request.parameters)
      return toResponse(rewritePagingLinks(exact, page))
    }

  /** `format` says where the upstream expects the parameters; a deletion of the whole edge has none. */
  const write =
    (method: 'POST' | 'DELETE', edge: Edge, format?: (parameters: JsonObject) => Parameters): Operation =>
    async (request) => {
      const parameters = format?.(readRowParameters(request))
      const call = { ...parameters, name: `graph.${edge}.${method.toLowerCase()}`, method, to: toPath(request, edge) }
      const { exact } = await callRecorded(request, edge, call)
      return toResponse(exact)
    }

  async function callRecorded(
    request: AllowedRequest,
    edge: Edge,
    call: PassthroughCall,
  ): Promise<PassthroughResponse> {
    try {
      const response = await calls.call(request, call)
      await recordWrite(request, edge, call)
      return response
    } catch (err) {
      if (err instanceof UpstreamCallError && err.failure.code === PARTLY_DONE) await recordWrite(request, edge, call)
      throw err
    }
  }

  async function recordWrite(request: AllowedRequest, edge: Edge, { method }: PassthroughCall): Promise<void> {
    const { organizationId, channelId, initiator } = request
    const target = { type: 'channel', id: channelId }
    const details = { setting: edge, change: method === 'DELETE' ? 'deleted' : 'set' }
    await sql.begin((tx) =>
      audit.record(tx, { organizationId, initiator, action: 'channel.number_changed', target, details }),
    )
  }

  return {
    listBlocked: read('block_users'),
    block: write('POST', 'block_users', toProductJson),
    unblock: write('DELETE', 'block_users', toProductJson),

    listQrCodes: read('message_qrdls', QR_CODE_FIELDS),
    saveQrCode: write('POST', 'message_qrdls', toJson),
    readQrCode: read('message_qrdls', QR_CODE_FIELDS),
    deleteQrCode: write('DELETE', 'message_qrdls'),

    setAutomation: write('POST', 'conversational_automation', toJson),
    readCommerceSettings: read('whatsapp_commerce_settings'),
    setCommerceSettings: write('POST', 'whatsapp_commerce_settings', (query) => ({ query: toTexts(query) })),
    readEncryptionKey: read('whatsapp_business_encryption'),
    setEncryptionKey: write('POST', 'whatsapp_business_encryption', (fields) => ({ fields: toTexts(fields) })),

    readUsername: read('username'),
    setUsername: write('POST', 'username', toJson),
    deleteUsername: write('DELETE', 'username'),

    readCallingSettings: read('settings'),
    setCallingSettings: write('POST', 'settings', toJson),
  }
}

function toPath({ id, item }: AllowedRequest, edge: Edge): string[] {
  return item === '' ? [id, edge] : [id, edge, item]
}

function toJson(json: JsonObject): Parameters {
  return { json }
}

function toProductJson(parameters: JsonObject): Parameters {
  return { json: { messaging_product: 'whatsapp', ...parameters } }
}

/** In a query or form the upstream takes texts. */
function toTexts(parameters: JsonObject): Record<string, string> {
  const texts = Object.entries(parameters).map(([name, value]) => {
    if (typeof value !== 'string' && typeof value !== 'boolean')
      throw invalidRequest('parameter_not_text', { parameters: { name } })
    return [name, String(value)]
  })
  return Object.fromEntries(texts)
}

function toResponse(body: JsonObject): FacadeResponse {
  return toJsonResponse(JSON.stringify(removeSipPasswords(body)))
}

/** The upstream shows the passwords of SIP servers only on request, and the hub never asks. */
function removeSipPasswords<T>(value: T): T {
  if (Array.isArray(value)) return value.map(removeSipPasswords) as T
  if (!isObject(value) || JSON.isRawJSON(value)) return value
  const kept = Object.entries(value).filter(([name]) => name.toLowerCase() !== 'sip_user_password')
  return Object.fromEntries(kept.map(([name, member]) => [name, removeSipPasswords(member)])) as T
}
