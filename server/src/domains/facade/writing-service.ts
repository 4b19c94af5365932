import type { Pool } from '../../kernel/db/pool.ts'
import { AppError } from '../../kernel/errors.ts'
import { receiveUpload } from '../../kernel/http/upload.ts'
import { type JsonObject, toText } from '../../kernel/json/values.ts'
import type { Audit } from '../audit/service.ts'
import type { Media } from '../media/service.ts'
import type { Messages } from '../messages/service.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import type { Asking, Visit } from './asking-service.ts'
import { parseBody } from './body.ts'
import { endOfCall, invalidCall } from './call.ts'
import { withoutGraphWords } from './graph-words.ts'
import { draftOf, isReceipt } from './message.ts'
import { templateDeletion } from './template-deletion.ts'

/** What clients of the upstream send beside a file. Its type is decided by its bytes. */
const UPLOAD_FIELDS = { messaging_product: ['whatsapp'], type: null }

type Dependencies = { sql: Pool; asking: Asking; messages: Messages; media: Media; audit: Audit }

export function createWriting({ sql, asking, messages, media, audit }: Dependencies) {
  async function record(visit: Visit, action: string, id: string, details: Record<string, string>): Promise<void> {
    const { organizationId, channelId, act } = visit
    const target = { type: 'template', id }
    await sql.begin((tx) =>
      audit.record(tx, { organizationId, act, action, target, details: { channel_id: channelId, ...details } }),
    )
  }

  return {
    /** A message is written down like any other that the hub sends; a receipt is not, since nothing is sent by it. */
    async postMessage(visit: Visit): Promise<Answer> {
      const { organizationId, channelId, credential } = visit
      const body = withProduct(visit, parseBody(visit.body))
      if (isReceipt(body)) return jsonAnswer((await asking.post(visit, 'facade.receipt', 'messages', body)).text)
      const sent = await messages.forward({ organizationId, channelId, ...draftOf(body), body }, credential)
      return jsonAnswer(await asking.valueIn(visit, sent))
    },

    async uploadMedia(visit: Visit): Promise<Answer> {
      const { organizationId, channelId, credential, raw } = visit
      const receive = () => receiveUpload(raw, 'file', UPLOAD_FIELDS)
      const result = await media.pass({ organizationId, channelId }, credential, receive)
      const { id } = await asking.valueIn(visit, result)
      return jsonAnswer(JSON.stringify({ id }))
    },

    async updateProfile(visit: Visit): Promise<Answer> {
      const body = withProduct(visit, parseBody(visit.body))
      return jsonAnswer((await asking.post(visit, 'facade.updateProfile', 'whatsapp_business_profile', body)).text)
    },

    async endCall(visit: Visit): Promise<Answer> {
      const call = endOfCall({ ...visit.query, ...callIn(visit) })
      return jsonAnswer((await asking.post(visit, 'facade.endCall', 'calls', call)).text)
    },

    async createTemplate(visit: Visit): Promise<Answer> {
      const body = withoutGraphWords(parseBody(visit.body))
      const { text, body: made } = await asking.post(visit, 'facade.createTemplate', 'message_templates', body)
      await record(visit, 'template.created', toText(made.id) ?? '', wordsIn(body, ['name', 'language']))
      return jsonAnswer(text)
    },

    async deleteTemplates(visit: Visit): Promise<Answer> {
      const deletion = templateDeletion(visit.query, parseBody(visit.body))
      const { text } = await asking.ask(visit, {
        name: 'facade.deleteTemplates',
        method: 'DELETE',
        to: [visit.id, 'message_templates'],
        query: deletion,
      })
      await record(visit, 'template.deleted', deletion.hsm_id ?? deletion.name, { ...deletion })
      return jsonAnswer(text)
    },
  }
}

/** Clients name the product in the query, in the body, or not at all; the upstream wants it in the body. */
function withProduct({ query }: Visit, body: JsonObject): JsonObject {
  return { messaging_product: query.messaging_product ?? 'whatsapp', ...withoutGraphWords(body) }
}

/** Whatever is wrong with the body of a call, the call is invalid. */
function callIn({ body }: Visit): JsonObject {
  try {
    return parseBody(body)
  } catch (err) {
    if (err instanceof AppError && err.code === 'INVALID_REQUEST') throw invalidCall('its body is no JSON object')
    throw err
  }
}

function wordsIn(body: JsonObject, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])))
}
