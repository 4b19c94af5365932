import type { Pool } from '../../../kernel/db/pool.ts'
import { AppError, type ErrorCode } from '../../../kernel/errors.ts'
import { receiveUpload } from '../../../kernel/http/upload.ts'
import { type JsonObject, toText } from '../../../kernel/json/values.ts'
import type { MessageEdge } from '../../../upstream/resources/messages.ts'
import type { NamedTemplate } from '../../../upstream/resources/templates.ts'
import type { AuditAction } from '../../audit/actions.ts'
import type { Audit } from '../../audit/service.ts'
import type { Media } from '../../media/service.ts'
import type { Messages } from '../../messages/sending/service.ts'
import { refuseReservedParameters } from '../allowlist/reserved-parameters.ts'
import { toSendError } from '../errors.ts'
import { readParameters, readRowParameters } from '../graph/leniency.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import { type AllowedRequest, refuseOtherNumber, type UpstreamCalls } from '../upstream-calls.ts'
import { parseCallAction } from './call-action.ts'
import { isReceipt, toMessageDraft } from './message-draft.ts'
import { parseTemplateDeletion } from './template-deletion.ts'

/** Fields that clients of the upstream send beside a file. The `type` is ignored: the bytes decide. */
const UPLOAD_FIELDS = { messaging_product: ['whatsapp'], type: null }

type Dependencies = { sql: Pool; calls: UpstreamCalls; messages: Messages; media: Media; audit: Audit }

export function createWriteOperations({ sql, calls, messages, media, audit }: Dependencies) {
  async function recordTemplateAct(
    request: AllowedRequest,
    action: AuditAction,
    id: string,
    details: Record<string, string>,
  ): Promise<void> {
    const { organizationId, channelId, initiator } = request
    const target = { type: 'template', id }
    await sql.begin((tx) =>
      audit.record(tx, { organizationId, initiator, action, target, details: { channel_id: channelId, ...details } }),
    )
  }

  async function send(request: AllowedRequest, body: JsonObject, edge: MessageEdge): Promise<FacadeResponse> {
    const { organizationId, channelId, credential } = request
    const sent = await messages.forward({ organizationId, channelId, ...toMessageDraft(body), body, edge }, credential)
    return toJsonResponse(await calls.unwrap(request, sent, toSendError))
  }

  async function removeTemplates(
    request: AllowedRequest,
    deletion: { name: string; hsm_id?: string },
  ): Promise<FacadeResponse> {
    const { text } = await calls.call(request, {
      name: 'facade.deleteTemplates',
      method: 'DELETE',
      to: [request.credential.wabaId, 'message_templates'],
      query: deletion,
    })
    await recordTemplateAct(request, 'template.deleted', deletion.hsm_id ?? deletion.name, { ...deletion })
    return toJsonResponse(text)
  }

  return {
    /** A message is recorded like any other send. A read receipt sends nothing, so it is not recorded. */
    async postMessage(request: AllowedRequest): Promise<FacadeResponse> {
      const body = addProduct(request, readParameters(request))
      if (isReceipt(body)) return toJsonResponse((await calls.post(request, 'facade.receipt', 'messages', body)).text)
      return send(request, body, 'messages')
    },

    postMarketingMessage: async (request: AllowedRequest): Promise<FacadeResponse> =>
      send(request, addProduct(request, readParameters(request)), 'marketing_messages'),

    async uploadMedia(request: AllowedRequest): Promise<FacadeResponse> {
      const { organizationId, channelId, credential, raw, mount } = request
      const receive = () => receiveUpload(raw, 'file', UPLOAD_FIELDS, { ignoresFields: mount === 'graph' })
      const result = await media.forwardUpload({ organizationId, channelId }, credential, receive)
      const { id } = await calls.unwrap(request, result)
      return toJsonResponse(JSON.stringify({ id }))
    },

    async updateProfile(request: AllowedRequest): Promise<FacadeResponse> {
      const body = addProduct(request, readParameters(request))
      return toJsonResponse((await calls.post(request, 'facade.updateProfile', 'whatsapp_business_profile', body)).text)
    },

    async endCall(request: AllowedRequest): Promise<FacadeResponse> {
      const call = parseCallAction({ ...request.query, ...parseCallBody(request) })
      return toJsonResponse((await calls.post(request, 'facade.endCall', 'calls', call)).text)
    },

    async createTemplate(request: AllowedRequest): Promise<FacadeResponse> {
      const body = refuseReservedParameters(readParameters(request))
      const { text, body: created } = await calls.post(request, 'facade.createTemplate', 'message_templates', body)
      await recordTemplateAct(
        request,
        'template.created',
        toText(created.id) ?? '',
        pickTexts(body, ['name', 'language']),
      )
      return toJsonResponse(text)
    },

    async deleteMedia(request: AllowedRequest): Promise<FacadeResponse> {
      const { organizationId, channelId, id } = request
      refuseOtherNumber(request)
      const { text } = await calls.call(request, { name: 'facade.deleteMedia', method: 'DELETE', to: [id] })
      await sql.begin((tx) => media.forget(tx, organizationId, [{ channelId, mediaId: id }]))
      return toJsonResponse(text)
    },

    async deleteTemplates(request: AllowedRequest): Promise<FacadeResponse> {
      const ignoresUnknown = request.mount === 'graph'
      return removeTemplates(request, parseTemplateDeletion(request.query, readParameters(request), { ignoresUnknown }))
    },

    async editTemplate(request: AllowedRequest): Promise<FacadeResponse> {
      const { id, name } = requireTemplate(request)
      const json = readRowParameters(request)
      const { text } = await calls.call(request, { name: 'facade.editTemplate', method: 'POST', to: [id], json })
      await recordTemplateAct(request, 'template.updated', id, { name })
      return toJsonResponse(text)
    },

    /** The upstream deletes a template at its account only, by name and id. */
    async deleteTemplate(request: AllowedRequest): Promise<FacadeResponse> {
      const { id, name } = requireTemplate(request)
      return removeTemplates(request, { name, hsm_id: id })
    },
  }
}

/** Its path is allowed for templates only, so a missing one is a defect in the table of paths. */
function requireTemplate({ template }: AllowedRequest): NamedTemplate {
  if (!template) throw new Error('An operation on a template was reached without one')
  return template
}

/** Clients set `messaging_product` in the query, in the body or not at all; the upstream expects it in the body. */
function addProduct({ query }: AllowedRequest, body: JsonObject): JsonObject {
  return { messaging_product: query.messaging_product ?? 'whatsapp', ...refuseReservedParameters(body) }
}

/** Errors that make the body of a call invalid, apart from its members. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(['INVALID_REQUEST', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'])

/** Reports an unreadable body as INVALID_CALL, like every other mistake in a call. */
function parseCallBody(request: AllowedRequest): JsonObject {
  try {
    return readParameters(request)
  } catch (err) {
    if (err instanceof AppError && UNREADABLE.has(err.code)) throw new AppError('INVALID_CALL', 'call_not_object')
    throw err
  }
}

function pickTexts(body: JsonObject, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])))
}
