import { asText, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { type Endpoint, type GraphCall, getPhoneAccount } from '../http/call.ts'
import { GraphError, getErrorTitle, invalid, refusal } from '../http/errors.ts'
import { buildPage } from '../http/paging.ts'
import { requireObjects, requireProduct } from '../http/parameters.ts'
import { deriveUserId, isUserId, parseDigits, toWaId } from '../messages/recipients.ts'
import { isWindowOpen } from '../messages/window.ts'
import { getNumberSettings } from './number-settings.ts'

const BLOCKED_MAX = 64_000
const USERS_PER_REQUEST_MAX = 1_000

/** The reason why one person was not blocked or unblocked. */
interface Failure {
  code: number
  details: string
}

interface Change {
  /** The member of the response that lists the people who were changed. */
  done: 'added_users' | 'removed_users'
  find(waId: string | undefined): Failure | undefined
  apply(waId: string): void
}

/** Only people who wrote within a day can be blocked. */
export const blockUsers: Endpoint<'phone'> = (graph, call) => {
  const { node: phone } = call
  const { blocked } = getNumberSettings(graph, phone)
  return changeBlockList(graph, call, {
    done: 'added_users',
    find(waId) {
      if (waId === toWaId(phone.digits)) return { code: 131021, details: 'A number cannot block itself.' }
      if (waId === undefined || !isWindowOpen(graph, phone.id, waId)) {
        return { code: 131047, details: 'The person has not written within the last 24 hours.' }
      }
      if (!blocked.has(waId) && blocked.size >= BLOCKED_MAX) {
        throw refusal(139101, `The block list has reached its limit of ${BLOCKED_MAX} people.`)
      }
      return undefined
    },
    apply: (waId) => blocked.add(waId),
  })
}

export const unblockUsers: Endpoint<'phone'> = (graph, call) => {
  const { blocked } = getNumberSettings(graph, call.node)
  return changeBlockList(graph, call, {
    done: 'removed_users',
    find: (waId) =>
      waId !== undefined && blocked.has(waId) ? undefined : { code: 100, details: 'The person is not blocked.' },
    apply: (waId) => blocked.delete(waId),
  })
}

/** The others are changed even if some people fail: then the error stands beside the lists. */
function changeBlockList(graph: Graph, { params }: GraphCall<'phone'>, change: Change): JsonObject {
  requireProduct(params)
  const users = requireObjects(params, 'block_users')
  if (users.length === 0) throw invalid('Param block_users must not be empty.')
  if (users.length > USERS_PER_REQUEST_MAX) throw refusal(130429, 'Too many people in one request.')
  const done: JsonObject[] = []
  const failed: JsonObject[] = []
  for (const { user } of users) {
    const input = asText(user)
    const waId = findWaId(graph, input)
    const failure = change.find(waId)
    const ids = { input, ...(isUserId(input) ? { user_id: input } : { wa_id: waId }) }
    if (failure || waId === undefined) failed.push({ ...ids, errors: [toError(failure)] })
    else {
      change.apply(waId)
      done.push(ids)
    }
  }
  const lists = { messaging_product: 'whatsapp', block_users: toLists(change.done, done, failed) }
  if (failed.length === 0) return lists
  const { status, members } = refusal(139100, 'Some people failed: see the list in block_users.')
  throw new GraphError(status, { ...members, message: asText(members.message) }, lists)
}

function toLists(name: Change['done'], done: JsonObject[], failed: JsonObject[]): JsonObject {
  return { [name]: done, failed_users: failed.length === 0 ? undefined : failed }
}

function toError({ code, details }: Failure = { code: 100, details: 'The person is unknown.' }): JsonObject {
  return { message: `(#${code}) ${getErrorTitle(code)}`, code, error_data: { details } }
}

/** A person is named by phone number or by user id. */
function findWaId(graph: Graph, input: string): string | undefined {
  if (isUserId(input)) return graph.state.users.get(input)
  const digits = parseDigits(input)
  return digits && toWaId(digits)
}

export const listBlockedUsers: Endpoint<'phone'> = (graph, call) => {
  const { node: phone } = call
  const { businessId } = getPhoneAccount(graph, phone)
  const people = [...getNumberSettings(graph, phone).blocked].map((id) => ({ id }))
  return buildPage(graph, call, `${phone.id}/block_users`, people, ({ id }) => ({
    messaging_product: 'whatsapp',
    wa_id: id,
    user_id: deriveUserId(graph, id, businessId),
  }))
}
