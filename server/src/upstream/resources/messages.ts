import type { Client } from '../http/client.ts'
import type { Result } from '../http/errors.ts'
import { isObject, type JsonObject, listOf, textOf } from '../json.ts'
import { passing } from './passthrough.ts'

export type SentMessage = {
  wamid: string
  /** How the upstream writes the recipient, which may differ from what was sent; null for users without a number. */
  wa_id: string | null
  /** The recipient's name of the business's own, which those without a number have too. */
  user_id: string | null
  /** Said of templates only. */
  message_status: string | null
}

/** What became of a message that somebody else wrote, and the upstream's answer to hand on to them. */
export type ForwardedMessage = { sent: SentMessage; text: string }

export function createMessages({ call }: Client, { appSecret }: { appSecret: string }) {
  return {
    /**
     * Hands one message over. The upstream knows no idempotency key: after
     * `unknown-outcome` only a status webhook can tell what became of it.
     */
    send: (token: string, phoneNumberId: string, body: JsonObject): Promise<Result<SentMessage>> =>
      call({
        name: 'messages.send',
        method: 'POST',
        to: [phoneNumberId, 'messages'],
        json: { messaging_product: 'whatsapp', ...body },
        token,
        isSend: true,
        read: readSent,
      }),

    /** The same for a body that goes out as it is. */
    forward: (token: string, phoneNumberId: string, body: JsonObject): Promise<Result<ForwardedMessage>> =>
      call({
        name: 'messages.forward',
        method: 'POST',
        to: [phoneNumberId, 'messages'],
        json: body,
        token,
        isSend: true,
        read: (answer, text) => {
          const sent = readSent(answer)
          return sent && { sent, text: passing([token, appSecret])(answer, text)?.text ?? text }
        },
      }),
  }
}

function readSent(body: unknown): SentMessage | undefined {
  if (!isObject(body)) return undefined
  const [message] = listOf(body.messages)
  const [contact] = listOf(body.contacts)
  if (!isObject(message) || typeof message.id !== 'string' || message.id === '') return undefined
  return {
    wamid: message.id,
    wa_id: isObject(contact) ? textOf(contact.wa_id) : null,
    user_id: isObject(contact) ? textOf(contact.user_id) : null,
    message_status: textOf(message.message_status),
  }
}
