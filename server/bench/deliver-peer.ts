import { Pool as Connections } from 'undici'
import { buildSignatureHeaders } from '../src/domains/webhooks/attempts/signature.ts'
import type { Pool } from '../src/kernel/db/pool.ts'
import { newId } from '../src/kernel/ids.ts'
import { BODY_BYTES, type Endpoint, inTurn } from './deliver-seed.ts'

export const PEER_CONCURRENCY = 64
const GATHER_MS = 20

/** A job queue that was not made for this, with the deliveries as its jobs. */
export type Peer = AsyncDisposable & {
  name: string
  fill: (parcels: PeerParcel[]) => Promise<void>
  /** Works until so many jobs have ended and are on record, and stops. */
  drain: (count: number) => Promise<void>
  /** CPU microseconds of a server of its own, beside the database. */
  readServerCpu?: () => Promise<number>
}

/** All that a job has to know: no peer looks anything up. */
export type PeerParcel = Endpoint & { id: string; eventId: string; path: string; body: string }

export function parcelsFor(endpoints: Endpoint[], count: number): PeerParcel[] {
  const body = 'x'.repeat(BODY_BYTES)
  return Array.from({ length: count }, (_none, index) => {
    const path = `/ok/${index % endpoints.length}`
    return { ...inTurn(endpoints, index), id: newId(), eventId: newId(), path, body }
  })
}

export type PeerWork = Awaited<ReturnType<typeof startPeerWork>>

/** What a job of a peer does: sign, post, and write the rows that the hub writes of it. */
export function startPeerWork(sql: Pool, port: number) {
  const connections = new Connections(`http://127.0.0.1:${port}`, { connections: PEER_CONCURRENCY })
  let gathered: Row[] = []
  let writing: Promise<void> | undefined

  /** One statement for all jobs that end within a moment, as the hub has it too. */
  function log(row: Row): Promise<void> {
    gathered.push(row)
    writing ??= new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(() => {
      const rows = gathered
      gathered = []
      writing = undefined
      return insertRows(sql, rows)
    })
    return writing
  }

  return {
    async deliver(parcel: PeerParcel): Promise<void> {
      const body = Buffer.from(parcel.body)
      const timestamp = Math.floor(Date.now() / 1000)
      const signed = buildSignatureHeaders('native', {
        deliveryId: parcel.id,
        timestamp,
        payload: body,
        secret: 'whsec_peer',
      })
      const requestHeaders = { 'Content-Type': 'application/json', ...signed }
      const startedAt = performance.now()
      const res = await connections.request({ path: parcel.path, method: 'POST', headers: requestHeaders, body })
      const responseBody = Buffer.from(await res.body.arrayBuffer())
      if (res.statusCode !== 200) throw new Error(`The receiver answered ${res.statusCode}`)
      const timings = { totalMs: Math.round(performance.now() - startedAt) }
      await log({ parcel, requestHeaders, responseHeaders: res.headers, responseBody, timings })
    },

    close: () => connections.close(),
  }
}

type Row = {
  parcel: PeerParcel
  requestHeaders: object
  responseHeaders: object
  responseBody: Buffer
  timings: object
}

async function insertRows(sql: Pool, rows: Row[]): Promise<void> {
  await sql`
    with r as (
      select *
      from unnest(
        ${sql.array(rows.map(({ parcel }) => parcel.organizationId))}::uuid[],
        ${sql.array(rows.map(({ parcel }) => parcel.endpointId))}::uuid[],
        ${sql.array(rows.map(({ parcel }) => parcel.id))}::uuid[],
        ${sql.array(rows.map(({ parcel }) => parcel.eventId))}::uuid[],
        ${sql.array(rows.map(() => newId()))}::uuid[],
        ${sql.array(rows.map(({ requestHeaders }) => JSON.stringify(requestHeaders)))}::text[],
        ${sql.array(rows.map(({ responseHeaders }) => JSON.stringify(responseHeaders)))}::text[],
        ${sql.array(rows.map(({ responseBody }) => responseBody))}::bytea[],
        ${sql.array(rows.map(({ timings }) => JSON.stringify(timings)))}::text[]
      ) as r (organization_id, endpoint_id, id, event_id, attempt_id, request_headers, response_headers, response_body,
        timings)
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
    select organization_id, id, attempt_id, 1, 200, request_headers::json, response_headers::json, response_body,
      '127.0.0.1', timings::json
    from r`
}
