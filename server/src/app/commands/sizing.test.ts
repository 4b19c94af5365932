import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from './run-command.ts'
import { computeSizing, readSizingLoad } from './sizing.ts'

const DAYS = { eventsDays: 30, messagesDays: 90 }

test('a disk grows with the load and the retention, and holds more than is kept', {
  rules: ['admin.sizing-says-what-a-disk-holds'],
}, () => {
  const load = { eventsPerSecond: 100, sendsPerSecond: 20, ...DAYS }

  const one = computeSizing(load)
  const twice = computeSizing({ ...load, eventsPerSecond: 200, sendsPerSecond: 40 })
  const longer = computeSizing({ ...load, messagesDays: 180 })
  const none = computeSizing({ ...load, eventsPerSecond: 0, sendsPerSecond: 0 })

  assert.equal(twice.kept_bytes, 2 * one.kept_bytes)
  assert.equal(twice.wal_bytes_per_day, 2 * one.wal_bytes_per_day)
  assert.equal(one.wal_bytes_per_day, 86_400 * one.wal_bytes_per_second)
  assert.ok(longer.kept_bytes > one.kept_bytes && longer.wal_bytes_per_day === one.wal_bytes_per_day)
  assert.ok(one.disk_bytes > one.kept_bytes)
  assert.deepEqual([none.kept_bytes, none.fsyncs_per_second], [0, 0])
})

test('a sizing names the days for which it counts: those of events are eleven more, and at least 23', {
  rules: ['admin.sizing-says-what-a-disk-holds'],
}, () => {
  const listDays = (eventsDays: number) => {
    const { message_days, event_days } = computeSizing({
      eventsPerSecond: 1,
      sendsPerSecond: 0,
      eventsDays,
      messagesDays: 90,
    })
    return [message_days, event_days]
  }

  assert.deepEqual([11, 12, 30].map(listDays), [
    [90, 23],
    [90, 23],
    [90, 41],
  ])
})

test('a retention that the hub would refuse is refused', { rules: ['admin.sizing-says-what-a-disk-holds'] }, () => {
  for (const days of ['1', '10', '11.5', '3651', 'long'])
    assert.throws(() => readSizingLoad({ 'events-per-second': '1', 'retention-days': days }, DAYS), {
      message: '--retention-days must be a whole number from 11 to 3650',
    })
})

test('concurrent commits share an fsync, so that their number grows less than the load', () => {
  const fsyncs = [10, 100, 300, 1000, 5000].map((eventsPerSecond) => {
    return computeSizing({ eventsPerSecond, sendsPerSecond: 0, ...DAYS }).fsyncs_per_second
  })

  assert.deepEqual(
    fsyncs,
    fsyncs.toSorted((a, b) => a - b),
  )
  assert.ok((fsyncs[3] ?? 0) < 2 * (fsyncs[1] ?? 0))
  assert.equal(fsyncs[4], fsyncs[3])
})

test('the load has the retention of the installation, unless another one is given', () => {
  const values = { 'events-per-second': '1.5' }

  assert.deepEqual(readSizingLoad(values, DAYS), { eventsPerSecond: 1.5, sendsPerSecond: 0, ...DAYS })
  assert.deepEqual(readSizingLoad({ ...values, 'sends-per-second': '2', 'retention-days': '14' }, DAYS), {
    eventsPerSecond: 1.5,
    sendsPerSecond: 2,
    eventsDays: 14,
    messagesDays: 14,
  })
})

test('a number that is none is named', () => {
  for (const text of ['', 'many', '-1', '1e9', '200000'])
    assert.throws(() => readSizingLoad({ 'events-per-second': text }, DAYS), {
      message: '--events-per-second must be a number from 0 to 100000',
    })
})

test('sizing without its load is refused before anything is opened', async () => {
  const { exitCode, stderr } = await runCommand(['sizing'], { DATABASE_URL: 'postgres://nowhere.invalid/x' })

  assert.equal(exitCode, 2)
  assert.match(stderr, /--events-per-second is required/)
})
