import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cellVariables } from '../../../test/cells.ts'
import { buildCallback, buildEntry, buildMessagesEntry, type Channel, startInbound } from './test/fixture.ts'
import { buildStatus, buildText } from './test/samples.ts'

/** A cell, and a channel that another cell has. */
async function startCell(t: TestContext) {
  const fixture = await startInbound(t, { env: await cellVariables('br01'), isOwn: true })
  const foreign: Channel = {
    ...fixture.channel,
    number: { ...fixture.channel.number, wabaId: '71', phoneNumberId: '72' },
  }

  /** Apart from those of other tests. */
  const earlier = await fixture.sql<{ id: string }[]>`select id from callbacks`
  async function stored() {
    const rows = await fixture.sql<{ organization_id: string | null; body: Buffer }[]>`
      select organization_id, body
      from callbacks
      where id <> all (${earlier.map(({ id }) => id)}::uuid[])
      order by id`
    return rows.map(({ organization_id, body }) => ({ organizationId: organization_id, body: body.toString() }))
  }
  async function take(body: Parameters<typeof fixture.post>[0]): Promise<number> {
    return (await fixture.post(body)).status
  }
  return { ...fixture, foreign, stored, take }
}

test('a cell answers 200 to callbacks that concern none of its channels, and stores nothing of them', {
  rules: ['cell.foreign-callbacks-are-not-stored'],
}, async (t) => {
  const cell = await startCell(t)
  const template = { event: 'APPROVED', message_template_id: 1, message_template_name: 'ola' }

  const statuses = [
    await cell.take(buildCallback(buildMessagesEntry(cell.foreign, { messages: [buildText('wamid.1')] }))),
    await cell.take(buildCallback(buildMessagesEntry(cell.foreign, { statuses: [buildStatus('wamid.2', 'sent')] }))),
    await cell.take(buildCallback(buildEntry(cell.foreign, 'message_template_status_update', template))),
    await cell.take(buildCallback(buildEntry(cell.foreign, 'a_field_of_the_future', { person: 'Ana' }))),
    await cell.take(buildCallback()),
    await cell.take('{"person":"Ana"}'),
    await cell.take('not JSON'),
  ]

  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.deepEqual(await cell.stored(), [])
})

test('of a callback that concerns other cells too, a cell stores and handles its own changes', {
  rules: ['cell.shared-callbacks-are-stored-in-part'],
}, async (t) => {
  const cell = await startCell(t)
  const own = [
    buildMessagesEntry(cell.channel, { messages: [buildText('wamid.own')] }),
    buildEntry(cell.channel, 'account_alerts', { alert_info: { alert_type: 'x' } }),
  ]
  const others = [
    buildMessagesEntry(cell.foreign, { messages: [buildText('wamid.foreign')] }),
    buildEntry(cell.foreign, 'account_alerts', { alert_info: { alert_type: 'y' } }),
  ]
  const shared = buildCallback(...[0, 1].flatMap((i) => [others[i]!, own[i]!]))

  const statuses = [await cell.take(shared), await cell.take(shared)]

  assert.deepEqual(statuses, [200, 200])
  const { organizationId } = cell.acme
  const parts = own.map((entry) => ({ organizationId, body: JSON.stringify(buildCallback(entry)) }))
  assert.deepEqual(await cell.stored(), [...parts, ...parts])
  assert.deepEqual(
    (await cell.log()).map((message) => message.upstream_message_id),
    ['wamid.own'],
  )
  assert.deepEqual((await cell.rawEvents()).length, 2)
})

test('a callback of its own a cell stores as it came', {
  rules: ['cell.shared-callbacks-are-stored-in-part'],
}, async (t) => {
  const cell = await startCell(t)
  const messages = buildMessagesEntry(
    cell.channel,
    { messages: [buildText('wamid.1')] },
    { messages: [buildText('wamid.2')] },
  )
  const body = `  ${JSON.stringify(buildCallback(messages))} `

  const status = await cell.take(body)

  assert.equal(status, 200)
  assert.deepEqual(await cell.stored(), [{ organizationId: cell.acme.organizationId, body }])
})
