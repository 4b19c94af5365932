import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakableDatabase } from '../../test/breakable-database.ts'
import { startHub, type TestHub } from '../../test/hub.ts'
import { createChannel } from '../../test/hub-with-upstream.ts'
import { createLogger } from '../kernel/logger.ts'
import { readConfig } from './config/config.ts'
import { type Job, listJobs, runAtStart } from './jobs.ts'

function toDay(date: Date): string {
  return `events_p${date.toISOString().slice(0, 10).replaceAll('-', '')}`
}

async function partitions(hub: TestHub): Promise<string[]> {
  const rows = await hub.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`
  return rows.map(({ name }) => name)
}

test('a hub has a partition for today and each of the next days after its start', async (t) => {
  // The database of a test has the partitions of the real days.
  const { clock } = await startHub(t)
  await clock.advance('30 days')
  const hub = await startHub(t, { isOwn: true })

  const made = await partitions(hub)

  const today = hub.clock.now().getTime()
  for (let day = 0; day < 7; day++) assert.ok(made.includes(toDay(new Date(today + day * 86_400_000))), String(day))
})

test('an event is in the partition of its day, which is dropped when no delivery can need it', async (t) => {
  const hub = await startHub(t, { env: { RETENTION_EVENTS_DAYS: '11' } })
  const acme = await hub.organization()
  await hub.runJobs()
  const { id } = await createChannel(acme)
  const findPartition = () => hub.sql`select tableoid::regclass::text as partition from events where channel_id = ${id}`
  const day = toDay(hub.clock.now())

  const [stored] = await findPartition()
  await hub.clock.advance('23 days')
  await hub.runJobs()
  const [kept] = await findPartition()
  await hub.clock.advance('1 day')
  await hub.runJobs()

  assert.equal(stored?.partition, day)
  assert.equal(kept?.partition, day)
  assert.deepEqual([...(await findPartition())], [])
  assert.ok(!(await partitions(hub)).includes(day))
  assert.ok((await partitions(hub)).includes(toDay(hub.clock.now())))
})

// One machine with a wrong clock must not delete what all organizations have stored.
test('a process whose clock is years ahead deletes nothing that is within its retention', {
  rules: ['clock.times-follow-the-database'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const now = () => new Date(hub.clock.now().getTime() + 1000 * 86_400_000)

  for (const job of listJobs({ ...hub.context, now }, readConfig({}))) await job.run()

  const [event] = await hub.sql`select from events where channel_id = ${id}`
  assert.notEqual(event, undefined)
  assert.ok((await partitions(hub)).includes(toDay(hub.clock.now())))
})

test('links, media ids, ended credentials and audit entries are deleted after their retention', {
  rules: ['audit.entries-are-kept-365-days'],
}, async (t) => {
  const hub = await startHub(t, { env: { RETENTION_AUDIT_DAYS: '200' } })
  const acme = await hub.organization()
  const { organizationId } = acme
  const { id } = await createChannel(acme)
  await acme.post(`/api/v1/channels/${id}/connect-link`)
  await acme.post(`/api/v1/channels/${id}/regenerate-token`)
  const key = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  await acme.post(`/api/v1/api-keys/${key.body.data.api_key.id}/revoke`)
  await hub.sql`insert into channel_media (organization_id, channel_id, media_id) values (${organizationId}, ${id}, '1')`
  await hub.context.uploadSessions.open(
    { organizationId, channelId: id, credentialId: acme.keyId },
    { fileName: 'a.png', fileBytes: 1 },
  )
  const count = async () => {
    const [row] = await hub.sql`
      select (select count(*)::int from connect_links where organization_id = ${organizationId}) as links,
        (select count(*)::int from connect_link_hashes where organization_id = ${organizationId}) as link_hashes,
        (select count(*)::int from channel_media where organization_id = ${organizationId}) as media,
        (select count(*)::int from upload_sessions where organization_id = ${organizationId}) as uploads,
        (select count(*)::int from credentials where organization_id = ${organizationId}) as credentials,
        (select count(*)::int from credential_hashes where organization_id = ${organizationId}) as credential_hashes,
        (select count(*)::int from audit_entries
         where organization_id = ${organizationId} and action = 'api_key.revoked') as revocations`
    return row
  }

  await hub.runJobs()
  const before = await count()
  const counts = []
  for (const days of [29, 13, 50, 107, 3]) {
    await hub.clock.advance(`${days} days`)
    await hub.runJobs()
    counts.push(await count())
  }

  // The channel is archived in between, which ends its second token.
  const all = { links: 1, link_hashes: 1, media: 1, uploads: 0, credentials: 4, credential_hashes: 4, revocations: 1 }
  assert.deepEqual({ ...before }, { ...all, uploads: 1 })
  const withoutLinks = { ...all, links: 0, link_hashes: 0, media: 0 }
  const last = { ...withoutLinks, credentials: 2, credential_hashes: 2 }
  assert.deepEqual(counts, [all, withoutLinks, last, last, { ...last, revocations: 0 }])
})

test('jobs that fail in an outage of the database are one line in the log, with the name of the first', {
  rules: ['database.outage-is-two-log-lines'],
}, async (t) => {
  const database = await breakableDatabase(t)
  const { context, logs } = await startHub(t, { installation: { sql: database.sql }, hasTimers: false, isOwn: true })
  const lines: string[] = []
  const logger = createLogger('error', { write: (line: string) => void lines.push(line) })
  const run = async () => void (await database.sql`select 1`)
  const jobs: Job[] = ['one', 'two', 'three'].map((name) => ({ name, everySeconds: 10, runsAtStart: true, run }))

  database.disrupt('hang up')
  await runAtStart(jobs, { logger, outages: context.outages })
  await database.restore()

  assert.deepEqual(lines, [])
  const errors = logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  assert.deepEqual(
    errors.map(({ job, msg }) => [job, msg]),
    [['one', 'the database is unavailable, and requests that need it are refused']],
  )
})
