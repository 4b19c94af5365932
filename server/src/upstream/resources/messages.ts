import { isObject, type JsonObject, toList, toText } from '../../kernel/json/values.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { createPassthroughReader } from './passthrough.ts'

export type SentMessage = {
  wamid: string
  /** The recipient's number as the upstream formats it; null for users without a number. */
  wa_id: string | null
  /** The recipient's business-scoped user id, which users without a number have too. */
  user_id: string | null
  /** Present for templates only. */
  message_status: string | null
}

/** The edges of a number that send a message. Both take the same body and give the same response. */
export type MessageEdge = 'messages' | 'marketing_messages'

/** A message that a client wrote itself, with the upstream's response for that client. */
type ForwardedMessage = { sent: SentMessage; text: string }

export function createMessageCalls({ call }: UpstreamClient, { appSecret }: { appSecret: string }) {
  return {
    /**
     * Sends one message. The upstream has no idempotency key: after `unknown-outcome`
     * only a status callback shows whether the message was sent.
     */
    send: (
      token: string,
      phoneNumberId: string,
      body: JsonObject,
      edge: MessageEdge = 'messages',
    ): Promise<Result<SentMessage>> =>
      call({
        name: 'messages.send',
        method: 'POST',
        to: [phoneNumberId, edge],
        json: { messaging_product: 'whatsapp', ...body },
        token,
        isSend: true,
        read: readSent,
      }),

    /** Sends a body unchanged. */
    forward: (
      token: string,
      phoneNumberId: string,
      body: JsonObject,
      edge: MessageEdge = 'messages',
    ): Promise<Result<ForwardedMessage>> =>
      call({
        name: 'messages.forward',
        method: 'POST',
        to: [phoneNumberId, edge],
        json: body,
        token,
        isSend: true,
        read: (response, text) => {
          const sent = readSent(response)
          return sent && { sent, text: createPassthroughReader([token, appSecret])(response, text)?.text ?? text }
        },
      }),
  }
}

function readSent(body: unknown): SentMessage | undefined {
  if (!isObject(body)) return undefined
  const [message] = toList(body.messages)
  const [contact] = toList(body.contacts)
  if (!isObject(message) || typeof message.id !== 'string' || message.id === '') return undefined
  return {
    wamid: message.id,
    wa_id: isObject(contact) ? toText(contact.wa_id) : null,
    user_id: isObject(contact) ? toText(contact.user_id) : null,
    message_status: toText(message.message_status),
  }
}
