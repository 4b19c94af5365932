import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'

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

async function readDays(person: Person): Promise<{ time_zone: string; days: { date: string; sent: number }[] }> {
  const { status, body, text } = await person.get('/console/daily-statistics')
  assert.equal(status, 200, text)
  return body.data
}

test("messages are counted by the days of the organization's time zone", { rules: ['STA-15'] }, async (t) => {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  const today = hub.clock.now().toISOString().slice(0, 10)
  const [lateYesterday, early] = [`${today}T02:30:00.000Z`, `${today}T03:00:00.000Z`]
  await count(hub, ana, lateYesterday, 3, true)
  await count(hub, ana, early, 5)
  await count(hub, other, early, 100)
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  const read = async () => {
    const { days } = await readDays(ana)
    assert.equal(days.length, 30)
    return Object.fromEntries(days.filter(({ sent }) => sent > 0).map(({ date, sent }) => [date, sent]))
  }

  const inUtc = await read()
  await ana.patch(`/console/organizations/${ana.organizationId}/settings`, { time_zone: 'America/Sao_Paulo' })
  const inBrazil = await read()

  assert.deepEqual(inUtc, { [today]: 8 })
  assert.deepEqual(inBrazil, { [yesterday]: 3, [today]: 5 })
  assert.equal((await readDays(ana)).time_zone, 'America/Sao_Paulo')
})

test('a message from before the first day is in none', { rules: ['STA-15'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const midnight = Date.parse(hub.clock.now().toISOString().slice(0, 10))
  const [first, before] = [29, 30].map((days) => new Date(midnight - days * 86_400_000).toISOString())
  await count(hub, ana, first ?? '', 1, true)
  await count(hub, ana, before ?? '', 7, true)

  const { days } = await readDays(ana)

  assert.equal(
    days.reduce((total, { sent }) => total + sent, 0),
    1,
  )
  assert.equal(days[0]?.date, first?.slice(0, 10))
})
