import type { Cursors } from '../../kernel/crypto/cursor.ts'
import type { Outages } from '../../kernel/db/outages.ts'
import { isDatabaseUnavailable, type Pool } from '../../kernel/db/pool.ts'
import { toStorableText } from '../../kernel/db/rows.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { invalidPart, toIssue } from '../../kernel/errors.ts'
import type { Logger } from '../../kernel/logger.ts'
import { refuseReversedPeriod } from '../../kernel/time/period.ts'
import type { LiveUpdates } from '../live-updates/service.ts'
import { type AnsweredRequest, createRequestBuffer } from './buffer.ts'
import { describePath } from './logged-path.ts'
import type { RequestLogQuery } from './schemas.ts'
import * as store from './store.ts'

/** Limit of an organization. It bounds the table, and what any filter reads. */
const KEPT_MAX = 10_000
/** The position goes last: without it, numbers would begin anew beside those that are left. */
const TABLES = ['logged_requests', 'request_log_positions'] as const
const RETENTION_DAYS = 7
/** The job looks at so many organizations at a time, and deletes so many requests of each. */
const DELETED_ORGANIZATIONS = 20
const DELETE_BATCH_SIZE = 50
/** Before every organization. */
const FIRST_ORGANIZATION = '00000000-0000-0000-0000-000000000000'
const ERROR_GROUPS_MAX = 50
/** Longer than any path that the log builds. */
const TEXT_LENGTH_MAX = 1024
/** The column holds at most this, 24 days. A stream may be open for longer. */
const DURATION_MS_MAX = 2 ** 31 - 1

const STATUS = /^[1-5](?:xx|[0-9]{2})$/

/** A request is not logged if there is no room in memory, or if its write fails. */
export const DROP_REASONS = ['overflow', 'failed_write'] as const
type DropReason = (typeof DROP_REASONS)[number]

type Dependencies = {
  sql: Pool
  cursors: Cursors
  logger: Logger
  outages: Pick<Outages, 'report'>
  liveUpdates: Pick<LiveUpdates, 'record'>
}

export type RequestLog = ReturnType<typeof createRequestLog>

/**
 * The requests of an organization's API keys and channel tokens, and the hub's responses. Requests are in memory until the
 * next write, a second later: a request does not wait for its log, and a killed process loses a second of it.
 */
export function createRequestLog({ sql, cursors, logger, outages, liveUpdates }: Dependencies) {
  const buffer = createRequestBuffer()
  let onDropped: (reason: DropReason, count: number) => void = () => {}
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const taken = buffer.take()
    const requests = [...taken.values()].flatMap(toRows)
    if (requests.length === 0) return
    try {
      await store.insertRequests(sql, requests, KEPT_MAX)
    } catch (err) {
      onDropped('failed_write', requests.length)
      if (isDatabaseUnavailable(err)) outages.report(err, { work: 'request log' })
      else logger.warn({ err, requests: requests.length }, 'requests not logged')
      return
    }
    liveUpdates.record([...taken.keys()], (organizationId) => [{ organizationId, kind: 'request.logged' }])
  }

  return {
    /** Takes no time of the request: it neither waits nor throws. What is not a request of a credential is left out. */
    record(request: AnsweredRequest): void {
      if (request.initiator.requestId === null || request.initiator.actor.id === null) return
      if (!buffer.add(request)) onDropped('overflow', 1)
    },

    /** Writes what is in memory. Writes of one process follow each other, so that numbers have the order of time. */
    flush(): Promise<void> {
      writing = writing.then(write)
      return writing
    },

    observeDrops(observer: typeof onDropped): void {
      onDropped = observer
    },

    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteOld(): Promise<void> {
      const batch = { days: RETENTION_DAYS, organizations: DELETED_ORGANIZATIONS, limit: DELETE_BATCH_SIZE }
      for (let after: string | null = FIRST_ORGANIZATION; after !== null; ) {
        const { last, hasMore } = await store.deleteOld(sql, { ...batch, after })
        if (!hasMore) after = last
      }
    },

    async page(organizationId: string, query: RequestLogQuery) {
      refuseReversedPeriod(query)
      const { limit, cursor, ...given } = query
      const list = ['requests', organizationId, ...toSortedEntries(given)]
      const requests = await store.listRequests(sql, {
        organizationId,
        status: query.status === undefined ? null : toStatusRange(query.status),
        method: query.method ?? null,
        route: query.route ?? null,
        credentialId: query.credential_id ?? null,
        errorCode: query.error_code ?? null,
        requestId: query.request_id ?? null,
        number: query.number ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        beforeNumber: cursor === undefined ? null : cursors.decode(cursor, list),
        limit: limit + 1,
      })
      const page = requests.slice(0, limit)
      const last = page.at(-1)
      const next_cursor = requests.length > limit && last ? cursors.encode(String(last.number), list) : null
      return { requests: page, next_cursor }
    },

    async listErrors(organizationId: string, since: string | undefined) {
      return store.listErrorGroups(sql, { organizationId, since: since ?? null, limit: ERROR_GROUPS_MAX })
    },

    async [Symbol.asyncDispose]() {
      await writing.then(write)
    },
  }
}

/** Each value fits its column: one that the database refuses would take the requests of all organizations with it. */
function toRows(requests: AnsweredRequest[]): store.NewLoggedRequest[] {
  const now = performance.now()
  return requests.map((request, index) => {
    const { organizationId, initiator, method, status, durationMs, errorCode, answeredAt } = request
    const { route, path } = describePath(request)
    return {
      organizationId,
      later: requests.length - 1 - index,
      ageMs: now - answeredAt,
      requestId: initiator.requestId ?? '',
      method: toShortText(method),
      route: toShortText(route),
      path: toShortText(path),
      status,
      durationMs: Math.min(Math.round(durationMs), DURATION_MS_MAX),
      credentialType: initiator.actor.type,
      credentialId: initiator.actor.id ?? '',
      errorCode: errorCode ?? null,
      ip: initiator.ip === null ? null : toShortText(initiator.ip),
    }
  })
}

function toShortText(text: string): string {
  return toStorableText(text.slice(0, TEXT_LENGTH_MAX))
}

/** `404` is from 404 to 404, and `4xx` from 400 to 499. */
function toStatusRange(status: string): [number, number] {
  if (!STATUS.test(status)) {
    throw invalidPart('query', [toIssue('/status', 'not_status')], 'status')
  }
  return [Number(status.replace('xx', '00')), Number(status.replace('xx', '99'))]
}

function toSortedEntries(filters: Record<string, string | number | undefined>): string[] {
  return Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
}
