import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMessagesEntry } from '../inbound/test/fixture.ts'
import { startCosts } from './test/fixture.ts'

test('a price in a repeat of a status that came without one counts', { rules: ['COST-01'] }, async (t) => {
  const { deliver, channel, buildPriced, read } = await startCosts(t)
  const { pricing, ...bare } = buildPriced({ wamid: 'wamid.late' }) as Record<string, unknown>
  await deliver(buildMessagesEntry(channel, { statuses: [bare] }))
  await deliver(buildMessagesEntry(channel, { statuses: [{ ...bare, pricing }] }))
  const { total } = await read()
  assert.equal(total.messages, 1)
})
