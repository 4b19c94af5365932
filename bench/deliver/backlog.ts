import { randomUUID } from 'node:crypto'
import type { ClaimRequest } from '../../server/src/domains/webhooks/engine/delivery.ts'
import { claimDue } from '../../server/src/domains/webhooks/engine/store.ts'
import { migrate } from '../../server/src/kernel/db/migrate.ts'
import { openPool, type Pool } from '../../server/src/kernel/db/pool.ts'
import { rows } from '../../server/src/kernel/db/rows.ts'
import { newId } from '../../server/src/kernel/ids.ts'
import type { Result } from '../benchmark.ts'
import { toDatabaseUrl } from '../counting-database.ts'
import type { Setup } from './delivery-hub.ts'
import { type Endpoint, insertEndpoints } from './seed.ts'
import { median } from './statistics.ts'

const BACKLOG = 1_000_000
const ENDPOINTS = 200
const CLAIMED_PER_ENDPOINT = 1
const CLAIMS = 60
const WARM_UP = 10
const DUE_PER_ENDPOINT = CLAIMED_PER_ENDPOINT * (CLAIMS + WARM_UP)

type Backlog = { name: string; pool: Pool; requests: ClaimRequest[]; claimMs: number[] }

/**
 * Measures a claim of one delivery from each of 200 endpoints: with an
 * otherwise empty queue, with a million retries that are not due yet, and with a
 * million due deliveries of one endpoint, of which each claim takes one. Each
 * queue is in its own database, and the claims alternate between them.
 */
export async function measureBacklogs({ stand, hub }: Setup): Promise<Result[]> {
  const { sealing } = hub.context
  const backlogs: Backlog[] = []
  try {
    for (const name of ['none', 'waiting', 'due']) {
      const pool = await openDatabase(stand.sql, stand.databaseUrl, `bench_${name}`)
      const backlog: Backlog = { name, pool, requests: [], claimMs: [] }
      backlogs.push(backlog)
      const endpoints = await insertEndpoints({ sql: pool, sealing }, ENDPOINTS + 1, () => 'http://bench.example/')
      const [capped, ...others] = endpoints
      if (capped) await fillBacklog(backlog, capped, others)
    }
    for (let round = 0; round < WARM_UP + CLAIMS; round++) {
      for (const backlog of backlogs) await claimOnce(backlog, round >= WARM_UP)
    }
  } finally {
    for (const { name, pool } of backlogs) {
      await pool.end()
      await stand.sql.unsafe(`drop database bench_${name}`)
    }
  }
  const [none, waiting, due] = backlogs.map(({ claimMs }) => median(claimMs))
  const baseline = none ?? Number.NaN
  const goal = { atMost: 1.2 }
  return [
    { what: 'ms a claim with a million retries waiting, of one with none', measured: waiting ?? 0, baseline, goal },
    { what: 'ms a claim with a million due at one endpoint, of one with none', measured: due ?? 0, baseline, goal },
  ]
}

async function openDatabase(sql: Pool, url: string, name: string): Promise<Pool> {
  await sql.unsafe(`create database ${name}`)
  const pool = openPool(toDatabaseUrl(url, name), { max: 2, name })
  await migrate(pool)
  return pool
}

async function fillBacklog(backlog: Backlog, capped: Endpoint, others: Endpoint[]): Promise<void> {
  const { name, pool } = backlog
  if (name === 'waiting') await insertQueued(pool, others, BACKLOG / ENDPOINTS, 'in a day')
  if (name === 'due') await insertQueued(pool, [capped], BACKLOG, 'now')
  await insertQueued(pool, [...others, capped], DUE_PER_ENDPOINT, 'now')
  await pool`vacuum analyze delivery_queue`
  backlog.requests = [...others, capped].map((one) => ({ ...one, count: CLAIMED_PER_ENDPOINT, knownVersion: 1 }))
}

async function insertQueued(sql: Pool, endpoints: Endpoint[], each: number, when: 'now' | 'in a day'): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into delivery_queue
        (organization_id, endpoint_id, id, event_id, event_kind, generation, attempts, due_at, claim_order_at)
      select e.organization_id, e.endpoint_id, uuidv7(), ${newId()}, 'message.status', 1, 0, hub_now() + t.wait,
        case when t.wait = interval '0' then hub_now() - interval '100 years' else hub_now() + t.wait end
      from ${rows(tx, endpoints, { organizationId: 'uuid', endpointId: 'uuid' })} as e
      cross join generate_series(1, ${each}::int) as n
      cross join (select case when ${when} = 'now' then interval '0' else interval '1 day' end as wait) t`
  })
}

async function claimOnce({ pool, requests, claimMs }: Backlog, isMeasured: boolean): Promise<void> {
  const startedAt = performance.now()
  const claimed = await claimDue(pool, { requests, claimToken: randomUUID(), leaseSeconds: 30 })
  if (isMeasured) claimMs.push(performance.now() - startedAt)
  if (claimed.length !== requests.length)
    throw new Error(`${claimed.length} deliveries were claimed instead of ${requests.length}`)
}
