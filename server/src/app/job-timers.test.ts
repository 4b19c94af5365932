import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLogger } from '../kernel/logger.ts'
import { type Job, runAtStart, startJobs } from './jobs.ts'

/** Mocked timers, which pass a second at a time: what a job does at once has ended before the next. */
function startTimers(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const lines: string[] = []
  const logger = createLogger('error', { write: (line: string) => void lines.push(line) })
  async function tick(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      t.mock.timers.tick(1000)
      await setImmediate()
    }
  }
  const outages = { report: () => assert.fail('The database is available') }
  return { lines, reports: { logger, outages }, tick }
}

test('each job runs at its interval', async (t) => {
  const { reports, tick } = startTimers(t)
  const runs: string[] = []
  const job = (name: string, everySeconds: number): Job => ({
    name,
    everySeconds,
    run: async () => void runs.push(name),
  })

  const { stop } = startJobs([job('often', 10), job('seldom', 25)], reports)
  await tick(30)
  await stop()
  await tick(100)

  assert.deepEqual(runs, ['often', 'often', 'seldom', 'often'])
})

test('jobs with runsAtStart run at the start, and a failure does not prevent the start', async (t) => {
  const { reports, lines } = startTimers(t)
  const runs: string[] = []
  const job = (name: string, run: () => Promise<void>): Job => ({ name, everySeconds: 10, runsAtStart: true, run })
  const timed: Job = { name: 'timed', everySeconds: 10, run: async () => void runs.push('timed') }

  await runAtStart(
    [job('broken', () => Promise.reject(new Error('no'))), job('sound', async () => void runs.push('sound')), timed],
    reports,
  )

  assert.deepEqual(runs, ['sound'])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).job),
    ['broken'],
  )
})

test('a run that fails is logged with the name of the job, and the next run takes place', async (t) => {
  const { reports, lines, tick } = startTimers(t)
  let runs = 0
  const job: Job = { name: 'flaky', everySeconds: 10, run: () => Promise.reject(new Error(`no ${++runs}`)) }

  const { stop } = startJobs([job], reports)
  await tick(20)
  await stop()

  assert.equal(runs, 2)
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).job),
    ['flaky', 'flaky'],
  )
})

test('a job whose last run has not ended is not run again before', async (t) => {
  const { reports, tick } = startTimers(t)
  const first = Promise.withResolvers<void>()
  let runs = 0
  const job: Job = { name: 'slow', everySeconds: 10, run: () => (++runs === 1 ? first.promise : Promise.resolve()) }

  const { stop } = startJobs([job], reports)
  await tick(30)
  const runsBefore = runs
  first.resolve()
  await tick(10)
  await stop()

  assert.deepEqual([runsBefore, runs], [1, 2])
})

test('stopping waits for running jobs', async (t) => {
  const { reports, tick } = startTimers(t)
  const work = Promise.withResolvers<void>()
  const order: string[] = []
  const job: Job = { name: 'long', everySeconds: 10, run: () => work.promise.then(() => void order.push('done')) }

  const { stop } = startJobs([job], reports)
  await tick(10)
  const stopping = stop().then(() => order.push('stopped'))
  work.resolve()
  await stopping

  assert.deepEqual(order, ['done', 'stopped'])
})

test('a job with a long interval also runs within two minutes of a start, unless it ran at the start', {
  rules: ['process.long-jobs-also-run-early'],
}, async (t) => {
  const { reports, tick } = startTimers(t)
  const runs: string[] = []
  const job = (name: string, everySeconds: number, runsAtStart?: true): Job => ({
    name,
    everySeconds,
    ...(runsAtStart && { runsAtStart }),
    run: async () => void runs.push(name),
  })

  const { stop } = startJobs([job('hourly', 3600), job('at start', 3600, true)], reports)
  await tick(59)
  const early = [...runs]
  await tick(62)
  const soon = [...runs]
  await tick(3600)
  await stop()

  assert.deepEqual([early, soon], [[], ['hourly']])
  assert.deepEqual(runs.toSorted(), ['at start', 'hourly', 'hourly'])
})
