import { randomUUID } from 'node:crypto'
import type { Want } from '../src/domains/webhooks/deliveries/claims.ts'
import * as queue from '../src/domains/webhooks/deliveries/queue-store.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { openPool, type Pool } from '../src/kernel/db/pool.ts'
import { newId } from '../src/kernel/ids.ts'
import type { Result } from './benchmark.ts'
import type { Scene } from './deliver-hub.ts'
import { median } from './deliver-rounds.ts'
import { type Endpoint, makeEndpoints } from './deliver-seed.ts'

const BACKLOG = 1_000_000
const ENDPOINTS = 200
const CLAIMED_EACH = 1
const CLAIMS = 60
const WARM_UP = 10
const DUE_EACH = CLAIMED_EACH * (CLAIMS + WARM_UP)

type Backlog = { name: string; pool: Pool; wants: Want[]; took: number[] }

/**
 * How long a claim of one delivery from each of 200 endpoints takes: with
 * nothing else in the queue, with a million retries that wait for their time,
 * and with a million that are due at one endpoint, which takes one at a time.
 * Each queue has a database of its own, and the claims take turns.
 */
export async function measureBacklogs({ stand, hub }: Scene): Promise<Result[]> {
  const { sealing } = hub.context
  const backlogs: Backlog[] = []
  try {
    for (const name of ['none', 'waiting', 'due']) {
      const pool = await openDatabase(stand.sql, stand.databaseUrl, `bench_${name}`)
      const backlog: Backlog = { name, pool, wants: [], took: [] }
      backlogs.push(backlog)
      const endpoints = await makeEndpoints({ sql: pool, sealing }, ENDPOINTS + 1, () => 'http://bench.example/')
      const [capped, ...others] = endpoints
      if (capped) await fill(backlog, capped, others)
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
  const [none, waiting, due] = backlogs.map(({ took }) => median(took))
  const baseline = none ?? Number.NaN
  const goal = '(goal: at most 1.2)'
  return [
    { what: `ms a claim with a million retries waiting, of one with none ${goal}`, measured: waiting ?? 0, baseline },
    { what: `ms a claim with a million due at one endpoint, of one with none ${goal}`, measured: due ?? 0, baseline },
  ]
}

async function openDatabase(sql: Pool, url: string, name: string): Promise<Pool> {
  await sql.unsafe(`create database ${name}`)
  const there = new URL(url)
  there.pathname = `/${name}`
  const pool = openPool(there.href, { max: 2, name })
  await migrate(pool)
  return pool
}

async function fill(backlog: Backlog, capped: Endpoint, others: Endpoint[]): Promise<void> {
  const { name, pool } = backlog
  if (name === 'waiting') await insertMany(pool, others, BACKLOG / ENDPOINTS, 'in a day')
  if (name === 'due') await insertMany(pool, [capped], BACKLOG, 'now')
  await insertMany(pool, [...others, capped], DUE_EACH, 'now')
  await pool`vacuum analyze delivery_queue`
  backlog.wants = [...others, capped].map((one) => ({ ...one, count: CLAIMED_EACH, knownVersion: 1 }))
}

async function insertMany(sql: Pool, endpoints: Endpoint[], each: number, when: 'now' | 'in a day'): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      insert into delivery_queue
        (organization_id, endpoint_id, id, event_id, event_kind, generation, attempts, due_at, turn_at)
      select e.organization_id, e.endpoint_id, gen_random_uuid(), ${newId()}, 'message.status', 1, 0, hub_now() + t.wait,
        case when t.wait = interval '0' then hub_now() - interval '100 years' else hub_now() + t.wait end
      from unnest(
        ${tx.array(endpoints.map(({ organizationId }) => organizationId))}::uuid[],
        ${tx.array(endpoints.map(({ endpointId }) => endpointId))}::uuid[]
      ) as e (organization_id, endpoint_id)
      cross join generate_series(1, ${each}::int) as n
      cross join (select case when ${when} = 'now' then interval '0' else interval '1 day' end as wait) t`
  })
}

async function claimOnce({ pool, wants, took }: Backlog, counts: boolean): Promise<void> {
  const startedAt = performance.now()
  const claimed = await queue.claim(pool, { wants, token: randomUUID(), leaseSeconds: 30 })
  if (counts) took.push(performance.now() - startedAt)
  if (claimed.length !== wants.length) throw new Error(`${claimed.length} were claimed, not ${wants.length}`)
}
