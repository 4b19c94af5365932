import type { Client } from './client.ts'
import type { Result } from './errors.ts'
import { isObject, type JsonObject, listOf, textOf } from './json.ts'

export type SentMessage = {
  wamid: string
  /** How the upstream writes the recipient, which may differ from what was sent; null for users without a number. */
  wa_id: string | null
  /** Said of templates only. */
  message_status: string | null
}

export function createMessages({ call }: Client) {
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
    message_status: textOf(message.message_status),
  }
}
