import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'

const DAY_MS = 86_400_000

type Person = Awaited<ReturnType<TestHub['person']>>

/** Counts messages of a moment: a day and more ago as the fold stores them, else as they happen. */
async function count({ sql }: TestHub, { organizationId }: Person, at: string, sent: number, isFolded = false) {
  const channelId = newId()
  if (isFolded) {
    await sql`
      insert into message_counts (organization_id, channel_id, since, sent, delivered, read, failed, received)
      values (${organizationId}, ${'00000000-0000-0000-0000-000000000000'}, ${at}, ${sent}, 0, 0, 0, 0)`
    return
  }
  await sql`
    insert into message_count_deltas
      (organization_id, channel_id, at, error_code, sent, delivered, read, failed, received)
    values (${organizationId}, ${channelId}, ${at}, '', ${sent}, 0, 0, 0, 0)`
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

async function readDays(person: Person): Promise<{ time_zone: string; days: { date: string; sent: number }[] }> {
  const { status, body, text } = await person.get('/console/daily-statistics')
  assert.equal(status, 200, text)
  return body.data
}

test("messages are counted by the days of the organization's time zone", {
  rules: ['statistics.days-follow-the-time-zone'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  const [day, dayBefore] = [1, 2].map((days) => toDay(hub.clock.now().getTime() - days * DAY_MS))
  await count(hub, ana, `${day}T02:30:00.000Z`, 3, true)
  await count(hub, ana, `${day}T03:00:00.000Z`, 5)
  await count(hub, other, `${day}T03:00:00.000Z`, 100)
  const read = async () => {
    const { days } = await readDays(ana)
    assert.equal(days.length, 30)
    return Object.fromEntries(days.filter(({ sent }) => sent > 0).map(({ date, sent }) => [date, sent]))
  }

  const inUtc = await read()
  await ana.patch(`/console/organizations/${ana.organizationId}/settings`, { time_zone: 'America/Sao_Paulo' })
  const inBrazil = await read()

  assert.deepEqual(inUtc, { [`${day}`]: 8 })
  assert.deepEqual(inBrazil, { [`${dayBefore}`]: 3, [`${day}`]: 5 })
  assert.equal((await readDays(ana)).time_zone, 'America/Sao_Paulo')
})

test('a message from before the first day is in none', {
  rules: ['statistics.days-follow-the-time-zone'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const midnight = Date.parse(toDay(hub.clock.now().getTime()))
  const [first, before] = [29, 30].map((days) => new Date(midnight - days * DAY_MS).toISOString())
  await count(hub, ana, first ?? '', 1, true)
  await count(hub, ana, before ?? '', 7, true)

  const { days } = await readDays(ana)

  assert.equal(
    days.reduce((total, { sent }) => total + sent, 0),
    1,
  )
  assert.equal(days[0]?.date, first?.slice(0, 10))
})

test('the days since a moment are those until today, and leave out what was before the moment', {
  rules: ['statistics.days-of-a-period'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const now = hub.clock.now().getTime()
  const since = `${toDay(now - 3 * DAY_MS)}T12:00:00.000Z`
  await count(hub, ana, `${toDay(now - 3 * DAY_MS)}T11:00:00.000Z`, 2)
  await count(hub, ana, since, 3)
  await count(hub, ana, `${toDay(now - DAY_MS)}T00:00:00.000Z`, 5)

  const { body } = await ana.get(`/console/daily-statistics?since=${since}`)
  const far = await ana.get('/console/daily-statistics?since=2020-01-01T00:00:00.000Z')
  const wrong = await ana.get('/console/daily-statistics?since=yesterday')

  const days: { date: string; sent: number }[] = body.data.days
  assert.deepEqual(
    days.map(({ date, sent }) => [date, sent]),
    [3, 2, 1, 0].map((ago) => [toDay(now - ago * DAY_MS), ago === 3 ? 3 : ago === 1 ? 5 : 0]),
  )
  assert.deepEqual([far.body.data.days.length, wrong.status], [90, 400])
})
