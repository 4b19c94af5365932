import { Pool as Connections } from 'undici'
import { buildSignatureHeaders } from '../../server/src/domains/webhooks/attempts/signature.ts'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import { type Columns, rows } from '../../server/src/kernel/db/rows.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import { BODY_BYTES, type Endpoint, pickEndpoint } from '../deliver/seed.ts'

export const PEER_CONCURRENCY = 64
const BUFFER_MS = 20

/** A general job queue that delivers the same requests as jobs. */
export type Peer = AsyncDisposable & {
  name: string
  fill: (jobs: PeerJob[]) => Promise<void>
  /** Works until `count` jobs are completed, and stops. */
  drain: (count: number) => Promise<void>
  /** CPU microseconds of the peer's own server, in addition to the database. */
  readServerCpu?: () => Promise<number>
}

/** Everything that a job needs: no peer reads the database for it. */
export type PeerJob = Endpoint & { id: string; eventId: string; path: string; body: string }

export function buildPeerJobs(endpoints: Endpoint[], count: number): PeerJob[] {
  const body = 'x'.repeat(BODY_BYTES)
  return Array.from({ length: count }, (_none, index) => {
    const path = `/ok/${index % endpoints.length}`
    return { ...pickEndpoint(endpoints, index), id: newId(), eventId: newId(), path, body }
  })
}

export type PeerWork = Awaited<ReturnType<typeof startPeerWork>>

/** The work of each job: sign, post, and write the rows that the hub writes for a delivery. */
export function startPeerWork(sql: Pool, port: number) {
  const connections = new Connections(`http://127.0.0.1:${port}`, { connections: PEER_CONCURRENCY })
  let buffered: PeerResult[] = []
  let writing: Promise<void> | undefined

  /** One statement for all jobs that end within 20 ms, as in the hub. */
  function log(result: PeerResult): Promise<void> {
    buffered.push(result)
    writing ??= new Promise((resolve) => setTimeout(resolve, BUFFER_MS)).then(() => {
      const results = buffered
      buffered = []
      writing = undefined
      return insertResults(sql, results)
    })
    return writing
  }

  return {
    async deliver(job: PeerJob): Promise<void> {
      const body = Buffer.from(job.body)
      const timestamp = Math.floor(Date.now() / 1000)
      const signed = buildSignatureHeaders('native', {
        deliveryId: job.id,
        timestamp,
        payload: body,
        secret: 'whsec_peer',
      })
      const requestHeaders = { 'Content-Type': 'application/json', ...signed }
      const startedAt = performance.now()
      const res = await connections.request({ path: job.path, method: 'POST', headers: requestHeaders, body })
      const responseBody = Buffer.from(await res.body.arrayBuffer())
      if (res.statusCode >= 300) throw new Error(`The receiver answered ${res.statusCode}`)
      const timings = { totalMs: Math.round(performance.now() - startedAt) }
      const { organizationId, endpointId, id, eventId } = job
      await log({
        organizationId,
        endpointId,
        id,
        eventId,
        attemptId: newId(),
        requestHeaders,
        responseHeaders: res.headers,
        responseBody,
        timings,
      })
    },

    close: () => connections.close(),
  }
}

type PeerResult = Endpoint & {
  id: string
  eventId: string
  attemptId: string
  requestHeaders: object
  responseHeaders: object
  responseBody: Buffer
  timings: object
}

const RESULT_COLUMNS: Columns<PeerResult> = {
  organizationId: 'uuid',
  endpointId: 'uuid',
  id: 'uuid',
  eventId: 'uuid',
  attemptId: 'uuid',
  requestHeaders: 'json',
  responseHeaders: 'json',
  responseBody: 'bytea',
  timings: 'json',
}

async function insertResults(sql: Pool, results: PeerResult[]): Promise<void> {
  await sql`
    with r as (
      select *
      from ${rows(sql, results, RESULT_COLUMNS)} as r
    ),
    logged as (
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at,
        last_http_status, delivered_at, created_at)
      select organization_id, endpoint_id, id, event_id, 'message.status', 'succeeded', 1, hub_now(), 200, hub_now(),
        hub_now()
      from r
    )
    insert into delivery_attempts (organization_id, delivery_id, id, number, http_status, request_headers,
      response_headers, response_body, address, timings)
    select organization_id, id, attempt_id, 1, 200, request_headers, response_headers, response_body, '127.0.0.1',
      timings
    from r`
}
