import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { buildMessagesEntry, type Channel, startInbound } from '../../inbound/test/fixture.ts'
import { buildStatus } from '../../inbound/test/samples.ts'
import { parseRateCards } from '../rates/rate-card.ts'

export const PRICING = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' }

const TODAY = 18

type Options = NonNullable<Parameters<typeof startInbound>[1]>
type PricedStatus = { day?: number; wamid?: string; to?: string; of?: Channel; more?: object; pricing?: object }

/** A hub with a connected channel, whose statuses the test sends as the upstream does. It is the 18th of a month. */
export async function startCosts(t: TestContext, { rateCards, ...options }: Options & { rateCards?: unknown } = {}) {
  const cards = rateCards !== undefined && { installation: { rateCards: parseRateCards(JSON.stringify(rateCards)) } }
  const fixture = await startInbound(t, {
    isCalledBack: false,
    ...(cards && { ...cards, hasTimers: false }),
    ...options,
  })
  const { clock } = fixture.hub
  if (clock.now().getUTCDate() !== TODAY) {
    await clock.advanceToNext('month')
    await clock.advance(`${TODAY - 1} days`)
  }
  const month = clock.now().toISOString().slice(0, 7)
  const { deliver, channel, acme } = fixture

  /** The day of the month, `2026-11-03`. */
  const toDate = (day: number) => `${month}-${String(day).padStart(2, '0')}`

  /** A status with the price of a message that another program has sent from the number. */
  function buildPriced({ day = 3, wamid = `wamid.${randomUUID()}`, to, pricing, more }: PricedStatus = {}) {
    return buildStatus(wamid, 'sent', {
      timestamp: String(Date.parse(`${toDate(day)}T12:00:00Z`) / 1000),
      recipient_id: to ?? '5511987654321',
      pricing: { ...PRICING, ...pricing },
      ...more,
    })
  }

  async function read(query = '', client: Pick<typeof acme, 'get'> = acme) {
    const answer = await client.get(`/api/v1/usage/costs?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.costs
  }

  return {
    ...fixture,
    month,
    toDate,
    buildPriced,
    read,
    price: ({ of = channel, ...status }: PricedStatus = {}) =>
      deliver(buildMessagesEntry(of, { statuses: [buildPriced(status)] })),

    /** The messages of each group. */
    async count(groupBy: string, query = ''): Promise<Record<string, number>> {
      const { groups } = await read(`group_by=${groupBy}&${query}`)
      return Object.fromEntries(groups.map(({ key, messages }: { key: string; messages: number }) => [key, messages]))
    },

    fold: () => fixture.hub.context.costVolumes.fold(),
  }
}
