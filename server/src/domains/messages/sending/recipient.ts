import type { JsonObject } from '../../../kernel/json/values.ts'
import type { MessageEdge } from '../../../upstream/resources/messages.ts'
import { hashBody } from './idempotency-record.ts'

/** Whom a message is sent to, and by which route of the API. */
export type Recipient =
  | { kind: 'number'; number: string; edge: MessageEdge }
  | { kind: 'user'; userId: string }
  | { kind: 'group'; groupId: string }

/** The recipient as the client wrote it. */
export function readAddress(recipient: Recipient): string {
  if (recipient.kind === 'number') return recipient.number
  return recipient.kind === 'user' ? recipient.userId : recipient.groupId
}

export function toUpstreamRecipient(recipient: Recipient): JsonObject {
  if (recipient.kind === 'group') return { recipient_type: 'group', to: recipient.groupId }
  if (recipient.kind === 'user') return { recipient_type: 'individual', recipient: recipient.userId }
  // Without the plus sign the upstream may read the number as a local one.
  return { recipient_type: 'individual', to: `+${recipient.number}` }
}

/**
 * The hash by which a repeated request is known: of route, recipient and body. The body of the oldest route has its recipient,
 * and its hash is of the body alone, as it always was.
 */
export function computeFingerprint(recipient: Recipient, body: object): Buffer {
  if (recipient.kind === 'user') return hashBody({ route: 'contacts', recipient: recipient.userId, body })
  if (recipient.kind === 'group') return hashBody({ route: 'groups', recipient: recipient.groupId, body })
  return recipient.edge === 'messages' ? hashBody(body) : hashBody({ route: recipient.edge, body })
}
