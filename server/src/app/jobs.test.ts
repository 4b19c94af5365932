import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHub, type TestHub } from '../../test/hub.ts'
import { createChannel } from '../../test/hub-with-upstream.ts'
import { createLogger } from '../kernel/logger.ts'
import { type Job, runAtStart, startJobs } from './jobs.ts'

function toDay(date: Date): string {
  return `events_p${date.toISOString().slice(0, 10).replaceAll('-', '')}`
}

async function partitions(hub: TestHub): Promise<string[]> {
  const rows = await hub.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`
  return rows.map(({ name }) => name)
}

/** Mocked timers, and jobs that record their runs. */
function startTimers(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lines: string[] = []
  const logger = createLogger('error', { write: (line: string) => void lines.push(line) })
  return { lines, logger, tick: (seconds: number) => t.mock.timers.tick(seconds * 1000) }
}

test('a hub has a partition for today and each of the next days after its start', async (t) => {
  const hub = await startHub(t)

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

test('each job runs at its interval', async (t) => {
  const { logger, tick } = startTimers(t)
  const runs: string[] = []
  const job = (name: string, everySeconds: number): Job => ({
    name,
    everySeconds,
    run: async () => void runs.push(name),
  })

  const { stop } = startJobs([job('often', 10), job('seldom', 25)], logger)
  tick(30)
  await stop()
  tick(100)

  assert.deepEqual(runs, ['often', 'often', 'seldom', 'often'])
})

test('jobs with runsAtStart run at the start, and a failure does not prevent the start', async (t) => {
  const { logger, lines } = startTimers(t)
  const runs: string[] = []
  const job = (name: string, run: () => Promise<void>): Job => ({ name, everySeconds: 10, runsAtStart: true, run })
  const timed: Job = { name: 'timed', everySeconds: 10, run: async () => void runs.push('timed') }

  await runAtStart(
    [job('broken', () => Promise.reject(new Error('no'))), job('sound', async () => void runs.push('sound')), timed],
    logger,
  )

  assert.deepEqual(runs, ['sound'])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).job),
    ['broken'],
  )
})

test('a run that fails is logged with the name of the job, and the next run takes place', async (t) => {
  const { logger, lines, tick } = startTimers(t)
  let runs = 0
  const job: Job = { name: 'flaky', everySeconds: 10, run: () => Promise.reject(new Error(`no ${++runs}`)) }

  const { stop } = startJobs([job], logger)
  tick(20)
  await stop()

  assert.equal(runs, 2)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).job),
    ['flaky', 'flaky'],
  )
})

test('stopping waits for running jobs', async (t) => {
  const { logger, tick } = startTimers(t)
  const work = Promise.withResolvers<void>()
  const order: string[] = []
  const job: Job = { name: 'long', everySeconds: 10, run: () => work.promise.then(() => void order.push('done')) }

  const { stop } = startJobs([job], logger)
  tick(10)
  const stopping = stop().then(() => order.push('stopped'))
  work.resolve()
  await stopping

  assert.deepEqual(order, ['done', 'stopped'])
})
