import { invalidPart, invalidRequest, toIssue } from '../../../kernel/errors.ts'
import { isUuid, toFirstId } from '../../../kernel/ids.ts'
import { refuseReversedPeriod } from '../../../kernel/time/period.ts'
import type { PeopleQuery } from '../contacts/service.ts'
import { type Direction, MESSAGE_STATUSES, type MessageStatus } from '../status.ts'
import type { LogFilters } from './schemas.ts'

const PROBLEM_STATUSES: readonly MessageStatus[] = ['failed', 'unknown']

export type LogFilter = {
  organizationId: string
  channelId: string | null
  direction: Direction | null
  /** In the order of the list of all; null for any. */
  statuses: readonly MessageStatus[] | null
  type: string | null
  template: string | null
  errorCode: number | null
  /** The people, as they were asked for. */
  people: PeopleQuery | null
  /** Ids from this one on, and before that one. */
  fromId: string | null
  untilId: string | null
}

/** Undefined if no message can match: inbound messages, and only they, are `received`. */
export function toLogFilter(organizationId: string, query: LogFilters): LogFilter | undefined {
  const { direction = null } = query
  refuseReversedPeriod(query)
  const given = query.status === undefined ? null : parseStatuses(query.status)
  const ofDirection =
    direction === null ? given : given?.filter((one) => (one === 'received') === (direction === 'inbound'))
  const statuses = ofDirection ?? (direction === 'inbound' ? (['received'] as const) : null)
  if (statuses?.length === 0) return undefined
  return {
    organizationId,
    channelId: query.channel_id?.toLowerCase() ?? null,
    // A status tells the direction.
    direction: statuses === null ? direction : null,
    statuses,
    type: query.type ?? null,
    template: query.template ?? null,
    errorCode: query.error_code ?? null,
    people: toPeople(query),
    fromId: query.since === undefined ? null : toFirstId(new Date(query.since)),
    untilId: query.until === undefined ? null : toFirstId(new Date(query.until)),
  }
}

function parseStatuses(text: string): MessageStatus[] {
  const given = text.split(',')
  const found = MESSAGE_STATUSES.filter((status) => given.includes(status))
  if (found.length === new Set(given).size) return found
  throw invalidPart('query', [toIssue('/status', 'not_listed', { values: MESSAGE_STATUSES.join(', ') })])
}

/** The id of the hub or of the upstream. */
export function parseMessageId(text: string): { id: string } | { wamid: string } {
  if (isUuid(text)) return { id: text.toLowerCase() }
  if (/^wamid\.\S+$/.test(text)) return { wamid: text }
  throw invalidRequest('message_id_invalid')
}

function toPeople({ person, name, number_end }: LogFilters): PeopleQuery | null {
  return [person, name, number_end].every((text) => text === undefined) ? null : { person, name, number_end }
}

/**
 * The way a filter is read: the columns of an index before its id, the part of the log that a partial index has, and whether
 * other conditions remain, for which a bounded number of rows is looked through.
 */
export type LogAccess = {
  columns: ('channel_id' | 'status')[]
  part: 'all' | 'outbound' | 'problems' | 'contacts'
  isExact: boolean
}

export function chooseAccess(filter: LogFilter): LogAccess {
  const { channelId, statuses, direction, type, template, errorCode, people } = filter
  const hasOthers = [type, template, errorCode].some((value) => value !== null)
  if (people !== null) {
    // The contacts are those of the channel already.
    return { columns: [], part: 'contacts', isExact: !hasOthers && statuses === null && direction === null }
  }
  if (channelId !== null && statuses !== null) {
    return { columns: ['channel_id', 'status'], part: 'all', isExact: !hasOthers }
  }
  if (channelId !== null) {
    const isOutbound = direction === 'outbound'
    return { columns: ['channel_id'], part: isOutbound ? 'outbound' : 'all', isExact: !hasOthers }
  }
  if (errorCode !== null || statuses?.every((status) => PROBLEM_STATUSES.includes(status))) {
    return { columns: [], part: 'problems', isExact: false }
  }
  return { columns: [], part: 'all', isExact: !hasOthers && statuses === null && direction === null }
}
