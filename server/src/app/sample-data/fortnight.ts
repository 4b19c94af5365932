import type { Chance } from './chance.ts'
import { type Conversations, createConversations } from './conversations.ts'
import type { Receivers } from './receivers.ts'
import { type Company, createTemplate, leaveOpen } from './setting-up.ts'
import type { Scene } from './stage.ts'

export const DAYS = 14
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The hours of the day, in UTC, at which shops in Brazil are busy, with their conversations on a usual day. */
const HOURS: readonly (readonly [hour: number, conversations: number])[] = [
  [3, 0],
  [7, 0],
  [11, 2],
  [13, 4],
  [15, 3],
  [17, 3],
  [19, 5],
  [21, 3],
  [23, 1],
]
/** On this day after the first, and on one of the last two, the stock does not answer from 16 to 20 UTC and is paused. After the first time somebody resumes it. */
const FIRST_BAD_DAY = 6
/** The last one ended less than a day ago at most times of a day, so that the figures of the last 24 hours have it. */
const LAST_BAD_AFTERNOON_MS = 21 * HOUR_MS
const BAD_HOURS = [16, 20] as const
/** Often enough for the twentieth failure, with the attempts of an endpoint that fails being spaced. */
const BAD_STEPS = 26
const CAMPAIGN_DAYS = [2, 5, 9, 12]
const PLACE_DAYS = [1, 2, 3, 5, 8]

type Fortnight = { scene: Scene; company: Company; chance: Chance; receivers: Receivers; endAt: Date }

/** Lets two weeks pass, the last hours of which end now. */
export async function passFortnight({ scene, company, chance, receivers, endAt }: Fortnight): Promise<void> {
  const conversations = createConversations(scene, company, chance)
  await conversations.prepare()
  const firstDay = Math.floor(scene.now().getTime() / DAY_MS) * DAY_MS
  const lastWordsAt = endAt.getTime() - 6 * MINUTE_MS
  for (let day = 0; day <= DAYS; day++) {
    for (const [hour, usual] of HOURS) {
      const at = firstDay + day * DAY_MS + hour * HOUR_MS + chance.between(0, 25) * MINUTE_MS
      if (at <= scene.now().getTime() || at + HOUR_MS > lastWordsAt) continue
      await scene.waitUntil(new Date(at))
      await converse(conversations, chance, toCount(usual, at))
      if (hour === 13) await tellStory({ scene, company, chance, receivers, endAt }, conversations, day)
      await scene.deliver()
      await scene.writeRequests()
    }
    await scene.runJobs()
  }
  await scene.waitUntil(new Date(lastWordsAt))
  await leaveOpen(scene, company)
  await converse(conversations, chance, 3)
  await scene.deliver()
  await scene.waitUntil(endAt)
  await scene.runJobs()
}

/** The day of the last bad afternoon. */
function countDays({ endAt }: Fortnight): number {
  return DAYS - Math.ceil(LAST_BAD_AFTERNOON_MS / DAY_MS - (endAt.getTime() % DAY_MS) / DAY_MS)
}

/** On Saturdays there is less to do, and on Sundays little. Business grows a little from week to week. */
function toCount(usual: number, at: number): number {
  const weekday = new Date(at).getUTCDay()
  return Math.round(usual * (weekday === 0 ? 0.25 : weekday === 6 ? 0.6 : 1))
}

/** Several customers write at the same time. */
async function converse({ talk, notify }: Conversations, chance: Chance, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => (chance.is(0.72) ? talk() : notify())))
}

/** Tells what happens besides on a day. */
async function tellStory(fortnight: Fortnight, conversations: Conversations, day: number): Promise<void> {
  const { scene, company } = fortnight
  const { ana, bruno, carla, channels } = company
  const badDays = [FIRST_BAD_DAY, countDays(fortnight)]
  const [, second, , fourth] = channels
  if (CAMPAIGN_DAYS.includes(day)) await conversations.campaign(CAMPAIGN_DAYS.indexOf(day), 18)
  if (PLACE_DAYS.includes(day)) await conversations.sendPlace()
  if (day % 4 === 1) await conversations.writeTooLate()
  if (day % 3 === 2) await conversations.err()
  if (day === 3 && fourth) {
    const body = { type: 'BODY', text: 'GANHE AGORA um brinde exclusivo, clique já e compartilhe com dez amigos!' }
    await createTemplate(scene, carla, fourth, { name: 'brinde', category: 'UTILITY', components: [body] }, 'REJECTED')
  }
  if (day === 4 && second) await scene.call(bruno, 'PATCH', `/api/v1/channels/${second.id}`, { monthly_budget: 700 })
  if (day === 7 && fourth) {
    await scene.call(bruno, 'POST', `/console/sandbox/channels/${fourth.id}/quality`, { rating: 'YELLOW' })
  }
  if (day === 8 && fourth) {
    const body = { type: 'BODY', text: 'Só até domingo: leve três livros e pague dois em toda a loja.' }
    const template = { name: 'leve_tres', category: 'MARKETING' as const, components: [body] }
    const id = await createTemplate(scene, carla, fourth, template)
    // The upstream pauses a template that too many people block.
    await scene.control('POST', `/templates/${id}`, { status: 'PAUSED' })
  }
  if (day === 10)
    await scene.call(ana, 'PATCH', `/console/organizations/${company.organizationId}/settings`, { color: '#0f766e' })
  if (day === DAYS - 1 && fourth) {
    const body = { type: 'BODY', text: 'Sua pesquisa de satisfação leva um minuto. Responda a esta mensagem.' }
    const template = { name: 'pesquisa', category: 'UTILITY' as const, components: [body] }
    await createTemplate(scene, carla, fourth, template, 'PENDING')
  }
  if (badDays.includes(day)) await passBadAfternoon(fortnight, conversations, day)
}

/** The stock fails until it is paused. The first time, somebody resumes it in the evening, and its deliveries go on. */
async function passBadAfternoon(fortnight: Fortnight, conversations: Conversations, day: number): Promise<void> {
  const { scene, company, chance, receivers } = fortnight
  const [from, to] = BAD_HOURS
  const startOfDay = Math.floor(scene.now().getTime() / DAY_MS) * DAY_MS
  await scene.waitUntil(new Date(startOfDay + from * HOUR_MS))
  receivers.setStockUp(false)
  for (let step = 0; step < BAD_STEPS; step++) {
    if (step % 3 === 0) await converse(conversations, chance, 1)
    await scene.advance(chance.between(120, 300))
    await scene.deliver()
  }
  await scene.waitUntil(new Date(startOfDay + to * HOUR_MS))
  receivers.setStockUp(true)
  if (day !== FIRST_BAD_DAY) return
  await scene.call(company.carla, 'PATCH', `/api/v1/webhooks/${company.stockId}`, { status: 'active' })
  await scene.deliver()
}
