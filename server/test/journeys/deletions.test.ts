import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  countRows,
  fillTenantTables,
  listTenantTables,
  readTenantRows,
} from '../../src/domains/offboarding/test/tenant-tables.ts'
import type { Tx } from '../../src/kernel/db/pool.ts'
import { newId } from '../../src/kernel/ids.ts'
import { testDatabase } from '../database.ts'
import { startHub } from '../hub.ts'
import type { ProcessJob } from '../job-process.ts'

const PROGRAM = join(import.meta.dirname, '../job-process.ts')
const RING = { id: 'test', bytes: Buffer.alloc(32, 9) }
const PHONE = '5511976543210'

/** A hub in this process, with people of two organizations, and jobs in processes that are killed. */
async function startInstallation(t: TestContext) {
  const { target, sql } = await testDatabase()
  const hub = await startHub(t, { env: { BILLING: 'off' }, installation: { keyRing: () => [RING] }, hasTimers: false })
  const [ana, other] = [await hub.person(), await hub.person()]

  /** Kills the process of a job with SIGKILL while it waits for a row of an organization that is locked meanwhile. */
  async function killAt(job: ProcessJob, lock: (tx: Tx) => Promise<{ count: number }>): Promise<void> {
    const aheadMs = hub.clock.now().getTime() - Date.now()
    const child = fork(PROGRAM, [target, RING.bytes.toString('hex'), String(aheadMs)])
    t.after(() => child.kill('SIGKILL'))
    await once(child, 'message')
    await sql.begin(async (tx) => {
      assert.equal((await lock(tx)).count, 1)
      child.send(job)
      while (!(await isBlocked())) assert.equal(child.exitCode, null)
      child.kill('SIGKILL')
      const [, signal] = await once(child, 'exit')
      assert.equal(signal, 'SIGKILL')
    })
    // The database ends its work for the process with it: committed or not.
    while ((await sql`select from pg_stat_activity where application_name = 'job process'`).length > 0);
  }

  async function isBlocked(): Promise<boolean> {
    const waiting = await hub.sql`
      select from pg_stat_activity where application_name = 'job process' and wait_event_type = 'Lock'`
    return waiting.length > 0
  }

  return { hub, sql, ana, other, killAt }
}

async function insertKeys({ sql }: Awaited<ReturnType<typeof startInstallation>>, organizationId: string) {
  await sql`
    insert into message_wamids (organization_id, channel_id, wamid, message_id)
    select ${organizationId}, ${newId()}, n::text, ${newId()}
    from generate_series(1, 3000) n`
}

test('a deletion whose processes are killed in the middle is completed, and touches no other organization', {
  rules: ['organization.deletion-touches-no-other', 'organization.deletion-completes-after-a-crash'],
}, async (t) => {
  const installation = await startInstallation(t)
  const { hub, sql, ana, other, killAt } = installation
  const { organizationId } = ana
  for (const person of [ana, other]) {
    await fillTenantTables(sql, person, hub.clock.now())
    await insertKeys(installation, person.organizationId)
  }
  await ana.post(`/console/organizations/${organizationId}/deletion`, { name: "Ana's" })
  const kept = await readTenantRows(sql, other.organizationId)
  await hub.clock.advance('7 days')

  await killAt(
    'delete-organizations',
    (tx) => tx`
    select from webhook_endpoints where organization_id = ${organizationId} for update`,
  )
  const canceled = await ana.delete(`/console/organizations/${organizationId}/deletion`)
  await hub.clock.advance('3 minutes')
  await hub.context.offboarding.deleteDue()
  await hub.clock.advance('10 minutes')
  await killAt(
    'delete-organizations',
    (tx) => tx`
    select from message_wamids where organization_id = ${organizationId} and wamid = '2500' for update`,
  )
  const left = await countRows(sql, 'message_wamids', organizationId)
  await hub.clock.advance('3 minutes')
  await killAt(
    'delete-organizations',
    (tx) => tx`
    select from audit_entries where organization_id = ${organizationId} limit 1 for update`,
  )
  await hub.clock.advance('3 minutes')
  await hub.context.offboarding.deleteDue()

  assert.equal(canceled.status, 401, 'the members are removed')
  assert.ok(left > 0 && left < 3001, `${left} rows are left in the middle`)
  for (const { name } of await listTenantTables(sql)) assert.equal(await countRows(sql, name, organizationId), 0, name)
  assert.deepEqual([...(await sql`select id from organizations where id = ${organizationId}`)], [])
  assert.deepEqual(await readTenantRows(sql, other.organizationId), kept)
})

test('an erasure whose processes are killed in the middle is completed, and counts each row once', {
  rules: ['erasure.touches-no-other-organization', 'erasure.survives-a-dead-worker'],
}, async (t) => {
  const { hub, sql, ana, other, killAt } = await startInstallation(t)
  const count = 2500
  for (const { organizationId } of [ana, other]) {
    await sql`
      insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content)
      select ${organizationId}, ${newId()}::uuid, hub_id(), 'outbound', 'text', 'sent', ${PHONE}, '{"body":"segredo"}'
      from generate_series(1, ${count})`
    await sql`
      insert into events (organization_id, id, kind, channel_id, occurred_at, body)
      select organization_id, id, 'message.sent', channel_id, hub_now(), convert_to(json_build_object('data', json_build_object(
        'message', json_build_object('direction', 'outbound', 'to', recipient)))::text, 'UTF8')
      from messages
      where organization_id = ${organizationId}`
  }
  const kept = await readTenantRows(sql, other.organizationId)
  const path = `/console/organizations/${ana.organizationId}/erasures`
  const { id } = (await ana.post(path, { phone: PHONE })).body.data.erasure
  await hub.clock.advance('1 minute')
  /** Newest first, and so in the middle: the second batch of messages, the third of events. */
  const lockAt = (table: 'messages' | 'events') => async (tx: Tx) => {
    const [row] = await tx`
      select id from ${tx(table)} where organization_id = ${ana.organizationId} order by id desc limit 1 offset 1200`
    return tx`
      select from ${tx(table)} where organization_id = ${ana.organizationId} and id = ${row?.id} for update`
  }

  await killAt('erase-people', lockAt('messages'))
  const [middle] = await sql`select counts from erasures where id = ${id}`
  await hub.clock.advance('2 minutes')
  await killAt('erase-people', lockAt('events'))
  for (let minutes = 0; minutes < 6; minutes += 2) {
    await hub.clock.advance('2 minutes')
    await hub.context.erasureWorker.runAll()
  }

  const { status, counts } = (await ana.get(`${path}/${id}`)).body.data.erasure
  assert.equal(middle?.counts.messages_sent, 1000)
  assert.deepEqual([status, counts.messages_sent, counts.events], ['done', count, count])
  const left = Object.values(await readTenantRows(sql, ana.organizationId)).flat()
  assert.deepEqual(
    left.filter((row) => row.includes(PHONE)),
    [],
  )
  assert.deepEqual(await readTenantRows(sql, other.organizationId), kept)
})
