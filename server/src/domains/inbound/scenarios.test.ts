import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { type InboundFixture, readData, startInbound } from './test/fixture.ts'

type Check = (fixture: InboundFixture, kinds: (kind: string) => ReturnType<typeof readData>) => Promise<void> | void

/** The effects of each scenario on a channel of the hub. */
const SCENARIOS: Record<string, Check> = {
  'username-only': (_fixture, read) => {
    const [{ message }] = read('message.received')
    assert.deepEqual([message.from, message.contact.username], [null, 'ana.souza'])
    assert.match(message.contact.user_id, /^BR\./)
  },
  'marketing-stop': (_fixture, read) => {
    const [{ preference, contact }] = read('contact.preferences')
    assert.deepEqual([preference.category, preference.value], ['marketing_messages', 'stop'])
    assert.equal(contact.wa_id, '5511999990000')
  },
  'category-changed': (_fixture, read) => {
    const [{ template, change }] = read('template.status')
    assert.deepEqual([template.category, change.previous_category], ['MARKETING', 'UTILITY'])
  },
  'throughput-upgrade': (_fixture, read) => {
    assert.equal(read('phone.quality')[0].change.event, 'THROUGHPUT_UPGRADE')
  },
  'ninth-digit': (_fixture, read) => {
    const [{ message }] = read('message.received')
    assert.deepEqual([message.from, message.contact.wa_id], ['5563984622450', '556384622450'])
  },
  'coexistence-history': (_fixture, read) => {
    assert.ok(read('contact.synced')[0].contacts.length > 0)
    assert.deepEqual(
      read('history.message').map(({ phase, messages }) => [phase, messages.length]),
      [
        [0, 2],
        [1, 2],
        [2, 2],
      ],
    )
  },
  'payment-failed': (_fixture, read) => {
    assert.deepEqual([read('payment.status')[0].status, read('payment.status')[0].message_id], ['failed', null])
  },
}

for (const [name, check] of Object.entries(SCENARIOS)) {
  test(`the scenario ${name} reaches the channel as events`, {
    rules: ['sandbox.scenarios-play-for-a-number'],
  }, async (t) => {
    const fixture = await startInbound(t, { isCalledBack: true })
    const { up, acme: owner } = fixture
    const channel = await fixture.connectAnother({ owner, coexistence: name === 'coexistence-history' })
    await owner.patch(`/api/v1/channels/${channel.id}`, { import_history: 'events' })

    await up.simulator.control('POST', `/scenarios/${name}`, { to: channel.number.phoneNumberId })

    const events = await fixture.events(channel)
    await check(fixture, (kind) => readData(events, kind))
  })
}

test('the simulator lists its scenarios, and refuses others and numbers without a history', {
  rules: ['sandbox.scenarios-play-for-a-number'],
}, async (t) => {
  const { up } = await startHubWithUpstream(t)
  const { phoneNumberId: to } = await up.number()

  const { scenarios } = await up.simulator.control<{ scenarios: string[] }>('GET', '/scenarios', {})

  assert.deepEqual(scenarios.toSorted(), Object.keys(SCENARIOS).toSorted())
  await assert.rejects(up.simulator.control('POST', '/scenarios/toString', { to }), /There is no such scenario/)
  await assert.rejects(up.simulator.control('POST', '/scenarios/coexistence-history', { to }), /Only a coexistence/)
})
