import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { newId } from '../../kernel/ids.ts'
import { countRows, fillTenantTables, listTenantTables, readTenantRows } from './test/tenant-tables.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

/** Two organizations with a row in every tenant table, one of which is due for its deletion. */
async function startDue(t: TestContext) {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  for (const person of [ana, other]) await fillTenantTables(hub.sql, person, hub.clock.now())
  await requestDeletion(ana)
  const kept = await readTenantRows(hub.sql, other.organizationId)
  await hub.clock.advance('7 days')
  return { hub, ana, other, kept, deleteDue: () => hub.context.offboarding.deleteDue() }
}

async function requestDeletion(owner: Person): Promise<string> {
  const { organizationId } = owner
  const { status, body, text } = await owner.post(`/console/organizations/${organizationId}/deletion`, {
    name: "Ana's",
  })
  assert.equal(status, 200, text)
  return body.data.deletes_at
}

async function listLeft({ sql }: TestHub, organizationId: string): Promise<string[]> {
  const left: string[] = []
  for (const { name } of await listTenantTables(sql)) {
    if ((await countRows(sql, name, organizationId)) > 0) left.push(name)
  }
  return left
}

test('the deletion of an organization leaves no row of it in any table, and touches none of another', {
  rules: ['organization.deletion-removes-every-row', 'organization.deletion-touches-no-other'],
}, async (t) => {
  const { hub, ana, other, kept, deleteDue } = await startDue(t)
  const tables = await listTenantTables(hub.sql)
  assert.ok(tables.length > 35, `${tables.length} tables have an organization_id`)
  assert.equal((await listLeft(hub, ana.organizationId)).length, tables.length)

  await deleteDue()
  await hub.clock.advance('10 minutes')
  await deleteDue()

  assert.deepEqual(await listLeft(hub, ana.organizationId), [])
  assert.deepEqual(await readTenantRows(hub.sql, other.organizationId), kept)
  const [row] = await hub.sql`
    select (select count(*)::int from organizations where id = ${ana.organizationId}) as organizations,
      (select count(*)::int from users where id = ${ana.userId}) as users,
      (select count(*)::int from users where id = ${other.userId}) as others`
  assert.deepEqual({ ...row }, { organizations: 0, users: 0, others: 1 })
  const lines = hub.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'organization deleted')
  assert.deepEqual(
    lines.map(({ organization_id, level }) => [organization_id, level]),
    [[ana.organizationId, 'info']],
  )
})

test('a response that ends after the deletion is not logged, and those of others are', {
  rules: ['organization.deletion-removes-every-row'],
}, async (t) => {
  const { hub, ana, other, deleteDue } = await startDue(t)
  const { requestLog } = hub.context
  await deleteDue()
  await hub.clock.advance('10 minutes')
  await deleteDue()
  const before = await countRows(hub.sql, 'logged_requests', other.organizationId)

  for (const { organizationId } of [ana, other]) {
    requestLog.record({
      organizationId,
      initiator: { actor: { type: 'api_key', id: newId(), name: 'ci' }, ip: null, requestId: newId() },
      method: 'GET',
      route: '/api/v1/usage',
      url: '/api/v1/usage',
      status: 200,
      errorCode: undefined,
      durationMs: 1,
      answeredAt: performance.now(),
    })
  }
  await requestLog.flush()

  assert.deepEqual(await listLeft(hub, ana.organizationId), [])
  assert.equal(await countRows(hub.sql, 'logged_requests', other.organizationId), before + 1)
})

test('a deletion that is interrupted at any table is completed by the runs after it', {
  rules: ['organization.deletion-completes-after-a-crash'],
}, async (t) => {
  const { hub, ana, other, kept, deleteDue } = await startDue(t)
  const { sql } = hub
  const tables = (await listTenantTables(sql)).map(({ name }) => name)
  await sql.unsafe(`
    create function interrupt() returns trigger language plpgsql as $$
    begin
      if old.organization_id = '${ana.organizationId}' then raise '%', tg_argv[0]; end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$`)
  t.after(() => sql.unsafe('drop function interrupt cascade'))

  /** Every table interrupts the deletion once, in the order in which the deletion comes to it. */
  async function deleteWithInterruptions(): Promise<string[]> {
    for (const table of tables) {
      await sql.unsafe(`
        create or replace trigger interrupt before delete or update on ${table}
        for each row execute function interrupt('${table}')`)
    }
    const interrupted: string[] = []
    for (;;) {
      const error = await deleteDue().then(
        () => undefined,
        (err) => err,
      )
      if (!error) return interrupted
      assert.ok(tables.includes(error.message), error)
      interrupted.push(error.message)
      await sql.unsafe(`drop trigger interrupt on ${error.message}`)
      await hub.clock.advance('3 minutes')
    }
  }

  const duringShutOff = await deleteWithInterruptions()
  await hub.clock.advance('10 minutes')
  const duringDeletion = await deleteWithInterruptions()

  assert.ok(duringShutOff.length >= 6, duringShutOff.join(', '))
  assert.ok(new Set([...duringShutOff, ...duringDeletion]).size >= tables.length - 1, duringDeletion.join(', '))
  assert.deepEqual(await listLeft(hub, ana.organizationId), [])
  assert.deepEqual(await readTenantRows(sql, other.organizationId), kept)
})

test('a deletion that fails does not keep another from its own', {
  rules: ['organization.deletion-completes-after-a-crash'],
}, async (t) => {
  const { hub, ana, other, deleteDue } = await startDue(t)
  const { sql } = hub
  await requestDeletion(other)
  await hub.clock.advance('7 days')
  await sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'failed'; end $$;
    create trigger fail before update on credentials for each row
      when (old.organization_id = '${ana.organizationId}') execute function fail()`)
  t.after(() => sql.unsafe('drop function fail cascade'))

  await assert.rejects(deleteDue(), /failed/)
  await hub.clock.advance('10 minutes')
  await assert.rejects(deleteDue(), /failed/)

  assert.notDeepEqual(await listLeft(hub, ana.organizationId), [])
  assert.deepEqual(await listLeft(hub, other.organizationId), [])
})

test('two processes at once delete an organization with many rows once', {
  rules: ['organization.deletion-completes-after-a-crash'],
}, async (t) => {
  const second = await startHub(t, { env: { BILLING: 'off' } })
  const { hub, ana, other, kept, deleteDue } = await startDue(t)
  const { sql } = hub
  const { organizationId } = ana
  for (const table of ['message_keys', 'message_wamids']) {
    const name = sql(table === 'message_keys' ? 'key' : 'wamid')
    const hash = table === 'message_keys' ? sql`, body_hash` : sql``
    await sql`
      insert into ${sql(table)} (organization_id, channel_id, ${name}, message_id ${hash})
      select ${organizationId}, ${newId()}, n::text, ${newId()} ${table === 'message_keys' ? sql`, ''::bytea` : sql``}
      from generate_series(1, 6000) n`
  }
  await deleteDue()
  await hub.clock.advance('10 minutes')

  const runs = [deleteDue(), takeOver()]
  await Promise.all(runs)
  await hub.clock.advance('3 minutes')
  await deleteDue()

  assert.deepEqual(await listLeft(hub, organizationId), [])
  assert.deepEqual(await readTenantRows(sql, other.organizationId), kept)
  const lines = [...hub.logs, ...second.logs].filter(
    (line) => JSON.parse(line).msg === 'organization deleted' && line.includes(organizationId),
  )
  assert.equal(lines.length, 1)

  /** Acts as if the lease of the first process had expired. */
  async function takeOver(): Promise<void> {
    for (;;) {
      const [row] = await sql`select deletion_leased_until from organizations where id = ${organizationId}`
      if (!row) return
      if (row.deletion_leased_until !== null) break
    }
    await sql`update organizations set deletion_leased_until = null where id = ${organizationId}`
    await second.context.offboarding.deleteDue()
  }
})
