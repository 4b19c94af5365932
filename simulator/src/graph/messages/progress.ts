import { asObject, asText } from '../../json.ts'
import type { Graph } from '../context.ts'
import { webhookError } from '../http/errors.ts'
import { type Contact, DAY_MS, type Message, type Phone } from '../model.ts'
import { getNumberFaults } from '../phones/number-faults.ts'
import { getNumberSettings } from '../phones/number-settings.ts'
import type { DeliveryFailure } from './media-object.ts'
import { getContact } from './recipients.ts'
import { emitStatus } from './statuses.ts'
import { isWindowOpen } from './window.ts'

const REACTION_AGE_MAX_MS = 30 * DAY_MS
/** The order of statuses. A message never goes back, and `failed` is final. */
const RANK: Readonly<Record<string, number>> = { sent: 1, delivered: 2, read: 3, played: 4, failed: 5 }

/**
 * An accepted message either fails, or is sent, delivered and read, as far as the
 * recipient's behavior allows. Reactions end with `sent`, and so do messages to a
 * phone that is offline, until it is back.
 */
export function scheduleStatuses(
  graph: Graph,
  phone: Phone,
  message: Message,
  failure: DeliveryFailure | undefined,
): void {
  const { clock, timings } = graph
  if (message.groupId !== undefined) {
    scheduleInGroup(graph, message)
    return
  }
  const contact = message.waId === '' ? undefined : getContact(graph, message.waId)
  const reason = findFailure(graph, phone, message, contact, failure)
  if (reason) {
    clock.after(timings.failedMs, () => setStatus(graph, message, 'failed', reason))
    return
  }
  clock.after(timings.sentMs, () => setStatus(graph, message, 'sent'))
  if (message.type === 'reaction' || !contact?.behavior.delivers) return
  const reach = (status: string) => {
    if (!getNumberFaults(graph.state, phone.id).phoneOffline) setStatus(graph, message, status)
  }
  clock.after(timings.deliveredMs, () => reach('delivered'))
  if (contact.behavior.reads) clock.after(timings.readMs, () => reach('read'))
}

/** A group is reached as a whole: each of its members reports the message as delivered and read. */
function scheduleInGroup(graph: Graph, message: Message): void {
  const { clock, timings } = graph
  clock.after(timings.sentMs, () => setStatus(graph, message, 'sent'))
  if (message.type === 'reaction') return
  clock.after(timings.deliveredMs, () => setStatus(graph, message, 'delivered'))
  clock.after(timings.readMs, () => setStatus(graph, message, 'read'))
}

/** Delivers what was sent to phones of the number's customers while they were offline. */
export function deliverWaiting(graph: Graph, phone: Phone): void {
  const { clock, state, timings } = graph
  for (const message of state.messages.values()) {
    if (
      message.phoneId !== phone.id ||
      message.waId === '' ||
      message.type === 'reaction' ||
      getRank(message) !== RANK.sent
    )
      continue
    const { behavior } = getContact(graph, message.waId)
    if (!behavior.delivers) continue
    setStatus(graph, message, 'delivered')
    if (behavior.reads) clock.after(timings.readMs - timings.deliveredMs, () => setStatus(graph, message, 'read'))
  }
}

/** The customer opens the chat: every message that was delivered is read. */
export function readChat(graph: Graph, phone: Phone, waId: string): number {
  const delivered = [...graph.state.messages.values()].filter(
    (message) => message.phoneId === phone.id && message.waId === waId && getRank(message) === RANK.delivered,
  )
  for (const message of delivered) setStatus(graph, message, 'read')
  return delivered.length
}

export function setStatus(
  graph: Graph,
  message: Message,
  status: string,
  failure?: DeliveryFailure,
  buildError = webhookError,
): void {
  const reached = getRank(message)
  if (reached === RANK.failed || (RANK[status] ?? 0) <= reached) return
  message.statuses.push(status)
  if (failure) message.failureCode = failure.code
  emitStatus(graph, message, status, failure ? [buildError(failure.code, failure.details)] : undefined)
}

/** Zero for a message that is only accepted, and for messages of persons. */
function getRank({ direction, statuses }: Message): number {
  return direction === 'inbound' ? 0 : Math.max(0, ...statuses.map((known) => RANK[known] ?? 0))
}

function findFailure(
  graph: Graph,
  phone: Phone,
  message: Message,
  contact: Contact | undefined,
  failure: DeliveryFailure | undefined,
): DeliveryFailure | undefined {
  if (getNumberSettings(graph, phone).blocked.has(message.waId)) {
    return { code: 130403, details: 'The business has blocked this person.' }
  }
  const { failWith } = getNumberFaults(graph.state, phone.id)
  if (failWith !== null) return { code: failWith, details: 'The number was set up to fail with this code.' }
  const code = contact?.behavior.fails_with
  if (code !== undefined) return { code, details: 'The recipient was set up to fail with this code.' }
  if (!contact) return { code: 131026, details: 'No person has this user id.' }
  if (failure) return failure
  if (message.type !== 'template' && !isWindowOpen(graph, phone.id, message.waId)) {
    const details = 'Message failed to send because more than 24 hours have passed since the customer last replied.'
    return { code: 131047, details }
  }
  if (message.category === 'MARKETING' && contact.hasStoppedMarketing) {
    return { code: 131050, details: 'The recipient chose to stop receiving marketing messages from this business.' }
  }
  return findReactionFailure(graph, message)
}

/** A reaction needs a message of this conversation that is at most thirty days old and is not a reaction. */
function findReactionFailure(graph: Graph, message: Message): DeliveryFailure | undefined {
  if (message.type !== 'reaction') return undefined
  const target = graph.state.messages.get(asText(asObject(message.content.reaction).message_id))
  const isReachable = target && target.phoneId === message.phoneId && target.waId === message.waId
  const isFresh = target && message.at - target.at <= REACTION_AGE_MAX_MS && target.type !== 'reaction'
  return isReachable && isFresh ? undefined : { code: 131009, details: 'The message cannot be reacted to.' }
}
