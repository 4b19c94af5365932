import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, listDays } from './time-zone.ts'

test('a time zone is an IANA name', () => {
  for (const name of ['UTC', 'America/Sao_Paulo', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires']) {
    assert.equal(isTimeZone(name), true, name)
  }
  for (const name of ['', 'Nowhere', 'America/', '+03:00', '-03', 'America/Sao_Paulo ', 'UTC\n', '../UTC']) {
    assert.equal(isTimeZone(name), false, JSON.stringify(name))
  }
})

function starts(timeZone: string, now: string, count: number) {
  return listDays(timeZone, new Date(now), count).map(({ date, start }) => `${date} ${start.toISOString()}`)
}

test('the days of a time zone end with the one of now, and each begins at its midnight', () => {
  assert.deepEqual(starts('UTC', '2026-03-01T00:00:00Z', 2), [
    '2026-02-28 2026-02-28T00:00:00.000Z',
    '2026-03-01 2026-03-01T00:00:00.000Z',
  ])
  assert.deepEqual(starts('America/Sao_Paulo', '2026-03-01T02:59:59Z', 2), [
    '2026-02-27 2026-02-27T03:00:00.000Z',
    '2026-02-28 2026-02-28T03:00:00.000Z',
  ])
  assert.deepEqual(starts('Asia/Kathmandu', '2026-03-01T18:15:00Z', 1), ['2026-03-02 2026-03-01T18:15:00.000Z'])
})

test('a day of 23 or 25 hours begins where its clocks first show it', () => {
  // Clocks in New York change at 2:00, those in São Paulo changed at midnight: forward on 4 November, back on 18 February.
  assert.deepEqual(starts('America/New_York', '2026-03-09T12:00:00Z', 2), [
    '2026-03-08 2026-03-08T05:00:00.000Z',
    '2026-03-09 2026-03-09T04:00:00.000Z',
  ])
  assert.deepEqual(starts('America/Sao_Paulo', '2018-11-05T12:00:00Z', 3), [
    '2018-11-03 2018-11-03T03:00:00.000Z',
    '2018-11-04 2018-11-04T03:00:00.000Z',
    '2018-11-05 2018-11-05T02:00:00.000Z',
  ])
  assert.deepEqual(starts('America/Sao_Paulo', '2018-02-18T12:00:00Z', 2), [
    '2018-02-17 2018-02-17T02:00:00.000Z',
    '2018-02-18 2018-02-18T03:00:00.000Z',
  ])
})

test('a day follows another after 22 to 26 hours where clocks change', () => {
  for (const timeZone of [
    'America/Havana',
    'Antarctica/Troll',
    'Australia/Lord_Howe',
    'Asia/Beirut',
    'Pacific/Chatham',
  ]) {
    const days = listDays(timeZone, new Date('2026-12-31T12:00:00Z'), 366)
    for (const [index, { start }] of days.slice(1).entries()) {
      const hours = (start.getTime() - (days[index]?.start.getTime() ?? 0)) / 3_600_000
      assert.ok(hours >= 22 && hours <= 26, `${timeZone} ${start.toISOString()} follows after ${hours} hours`)
    }
  }
})
