import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { breakableDatabase } from '../../../../test/breakable-database.ts'
import { bearer } from '../../../../test/hub.ts'
import { createLogger } from '../../../kernel/logger.ts'
import type { SentMessage } from '../../../upstream/resources/messages.ts'
import { identifyRecipient } from '../contacts/identify.ts'
import { newKey, startRelayedSending, startSecondHub, text, toStatusAndCode } from '../test/fixture.ts'
import type { ReservedSend } from './reservations.ts'
import { createMessages } from './service.ts'
import { createSettlements } from './settlements.ts'

const WAMID = 'wamid.known'
const ACCEPTED = JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: WAMID }] })
const REFUSED = JSON.stringify({ error: { message: '(#131009) No', type: 'OAuthException', code: 131009 } })
const THROTTLED = JSON.stringify({ error: { message: '(#130429) Slow', type: 'OAuthException', code: 130429 } })
/** A request then waits for five seconds after the upstream's response. */
const SHORT = { UPSTREAM_TIMEOUT_MS: '1000' }

type Options = Parameters<typeof startRelayedSending>[1]

/** A channel with a webhook endpoint, whose hub reaches its database through a proxy. */
async function startBreakable(t: TestContext, { env, ...options }: NonNullable<Options> = {}) {
  const database = await breakableDatabase(t)
  const fixture = await startRelayedSending(t, {
    installation: { sql: database.sql },
    env: { WEBHOOK_ALLOWED_DESTINATIONS: '127.0.0.1:9', ...env },
    ...options,
  })
  const { hub, acme, channel } = fixture
  await acme.post('/api/v1/webhooks', { name: 'crm', url: 'http://127.0.0.1:9', event_types: ['message.sent'] })

  /** Counts the events of the send and their deliveries. */
  async function countPublished(): Promise<{ events: number; deliveries: number }> {
    const [counts] = await hub.sql<{ events: number; deliveries: number }[]>`
      select count(distinct e.id)::int as events, count(d.id)::int as deliveries
      from events e
      left join delivery_queue d on d.organization_id = e.organization_id and d.event_id = e.id
      where e.channel_id = ${channel.id}
        and e.kind = 'message.sent'`
    return counts!
  }

  /** Makes the database refuse to settle the channel's sends, until the returned function is called. */
  async function refuseSettlements(): Promise<() => Promise<void>> {
    const name = `refuse_${channel.id.replaceAll('-', '')}`
    await hub.sql.unsafe(`
      create function ${name}() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
      create trigger ${name} before delete on unsettled_sends
        for each row when (old.channel_id = '${channel.id}') execute function ${name}()`)
    return async () => void (await hub.sql.unsafe(`drop function ${name} cascade`))
  }

  async function untilStatus(status: string): Promise<void> {
    while ((await fixture.newest()).status !== status) await delay(20)
  }

  return { ...fixture, database, countPublished, refuseSettlements, untilStatus }
}

/** A send whose response the test holds back. */
async function startHeld(fixture: Awaited<ReturnType<typeof startBreakable>>) {
  const [key, body] = [newKey(), text()]
  const caught = fixture.relay.catch('/messages')
  const sending = fixture.send({ key, body })
  const held = await caught
  return { sending, held, again: (as = fixture.acme) => fixture.send({ key, body, as }) }
}

/** Without it, a test of a lost record would pass although none was lost. */
function wasRepeated({ hub }: Awaited<ReturnType<typeof startBreakable>>): boolean {
  return hub.logs.some((line) => line.includes('the outcome of a send was recorded at last'))
}

const LOST = { before: 'did not arrive', after: 'was committed although its answer was lost' } as const

for (const when of ['before', 'after'] as const) {
  test(`an acceptance whose record ${LOST[when]} is 202, with one message.sent and one set of deliveries`, {
    rules: ['outcome.unrecorded-one-is-written-again', 'outcome.repeated-record-changes-nothing'],
  }, async (t) => {
    const fixture = await startBreakable(t)
    const { sending, held, again } = await startHeld(fixture)

    fixture.database.cutAt(WAMID, when)
    held.answer(200, ACCEPTED)
    const answer = await sending
    const replay = await again()

    assert.ok(wasRepeated(fixture))
    assert.deepEqual([answer.status, replay.status], [202, 202], answer.text)
    assert.deepEqual(replay.body, answer.body)
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(await fixture.countPublished(), { events: 1, deliveries: 1 })
    assert.equal((await fixture.acme.get('/api/v1/usage')).body.data.usage.messages_sent, 1)
  })

  test(`a refusal whose record ${LOST[when]} is UPSTREAM_REJECTED, and so is a repeat`, {
    rules: ['outcome.unrecorded-one-is-written-again'],
  }, async (t) => {
    const fixture = await startBreakable(t)
    const { sending, held, again } = await startHeld(fixture)

    fixture.database.cutAt('131009', when)
    held.answer(400, REFUSED)
    const answers = [await sending, await again()]

    assert.ok(wasRepeated(fixture))
    assert.deepEqual(answers.map(toStatusAndCode), Array(2).fill([400, 'UPSTREAM_REJECTED']))
    assert.partialDeepStrictEqual(answers[1]?.body.error.details, answers[0]?.body.error.details)
    assert.equal((await fixture.newest()).status, 'failed')
  })

  test(`a send that was certainly not sent, and whose record ${LOST[when]}, frees its key`, {
    rules: ['outcome.unrecorded-one-is-written-again'],
  }, async (t) => {
    const fixture = await startBreakable(t)
    const { sending, held, again } = await startHeld(fixture)

    fixture.database.cutAt('130429', when)
    held.answer(400, THROTTLED)
    const answer = await sending
    const next = await again()

    assert.ok(wasRepeated(fixture))
    assert.deepEqual([toStatusAndCode(answer), next.status], [[429, 'RATE_LIMITED'], 202], next.text)
    assert.equal((await fixture.sendRequests()).length, 1)
  })

  test(`an unknown outcome whose record ${LOST[when]} is unknown in the log`, {
    rules: ['outcome.unrecorded-one-is-written-again'],
  }, async (t) => {
    const fixture = await startBreakable(t)
    const { sending, held, again } = await startHeld(fixture)

    fixture.database.cutAt('{"unknown"}', when)
    held.answer(200, 'not JSON')
    const answers = [await sending, await again()]

    assert.ok(wasRepeated(fixture))
    assert.deepEqual(answers.map(toStatusAndCode), Array(2).fill([409, 'SEND_RESULT_UNKNOWN']))
    assert.equal((await fixture.newest()).status, 'unknown')
  })

  test(`an accepted send of the facade whose record ${LOST[when]} is answered as the upstream did`, {
    rules: ['outcome.unrecorded-one-is-written-again'],
  }, async (t) => {
    const fixture = await startBreakable(t)
    const { hub, acme, channel, relay, database } = fixture
    const scopes = ['messages:send', 'messages:read'] as const
    const token = await hub.channelToken(acme.organizationId, channel.id, scopes)
    const caught = relay.catch('/messages')
    const sending = token.post(`/upstream/${channel.number.phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      ...text(),
    })
    const held = await caught

    database.cutAt(WAMID, when)
    held.answer(200, ACCEPTED)
    const answer = await sending

    assert.ok(wasRepeated(fixture))
    assert.deepEqual([answer.status, answer.body], [200, JSON.parse(ACCEPTED)])
    assert.equal((await fixture.newest()).status, 'accepted')
    assert.deepEqual(await fixture.countPublished(), { events: 1, deliveries: 1 })
  })
}

test('sends whose outcomes arrive while the database is away are answered when it is back', {
  rules: ['outcome.unrecorded-one-is-written-again', 'outcome.repeated-record-changes-nothing'],
}, async (t) => {
  const fixture = await startBreakable(t)
  const sends = []
  for (let n = 0; n < 10; n++) sends.push(await startHeld(fixture))

  await fixture.database.stop()
  for (const [n, { held }] of sends.entries()) held.answer(200, ACCEPTED.replace(WAMID, `${WAMID}.${n}`))
  while (fixture.hub.logs.filter((line) => line.includes('was not recorded')).length < sends.length) await delay(20)
  await fixture.database.restore()
  const answers = await Promise.all(sends.map(({ sending }) => sending))
  const replays = await Promise.all(sends.map(({ again }) => again()))

  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(202),
  )
  assert.deepEqual(
    replays.map(({ body }) => body),
    answers.map(({ body }) => body),
  )
  assert.deepEqual(await fixture.countPublished(), { events: 10, deliveries: 10 })
})

test('a request whose outcome cannot be recorded by its deadline is SEND_RESULT_UNKNOWN, and its key is 202 later', {
  rules: ['outcome.late-record-is-409-then-answers'],
}, async (t) => {
  const fixture = await startBreakable(t, { env: SHORT })
  const { sending, held, again } = await startHeld(fixture)
  const allow = await fixture.refuseSettlements()

  held.answer(200, ACCEPTED)
  const answer = await sending
  await allow()
  await fixture.untilStatus('accepted')
  const replay = await again()

  assert.deepEqual(toStatusAndCode(answer), [409, 'SEND_RESULT_UNKNOWN'])
  const { id } = await fixture.newest()
  assert.partialDeepStrictEqual(answer.body.error.details, { message_id: id })
  assert.deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [202, 'true'])
  assert.deepEqual(await fixture.countPublished(), { events: 1, deliveries: 1 })
  assert.ok(
    fixture.hub.logs.some((line) => line.includes('the outcome of a send was not recorded') && line.includes(id)),
  )
})

test('a send whose outcome waits to be recorded stays in progress in every process, and is never sent again', {
  rules: ['outcome.waiting-send-stays-in-progress'],
}, async (t) => {
  const fixture = await startBreakable(t)
  const { hub, up, acme, relay, refuseSettlements } = fixture
  const second = await startSecondHub(t, up, { url: relay.url })
  const { sending, held, again } = await startHeld(fixture)
  const allow = await refuseSettlements()
  held.answer(200, ACCEPTED)
  while (!hub.logs.some((line) => line.includes('was not recorded'))) await delay(20)

  const repeats = []
  for (let minutes = 0; minutes < 3; minutes++) {
    await hub.clock.advance('30 seconds')
    await hub.runJobs()
    await second.runJobs()
    const other = { ...acme, ...second.anonymous.with(bearer(acme.key)) }
    repeats.push(...(await Promise.all([1, 2, 3, 4, 5].flatMap(() => [again(), again(other)]))))
  }
  await allow()
  const answer = await sending

  assert.deepEqual(repeats.map(toStatusAndCode), Array(30).fill([409, 'OPERATION_IN_PROGRESS']))
  assert.equal(answer.status, 202)
  assert.deepEqual(await fixture.sendRequests(), [])
  assert.deepEqual(await fixture.countPublished(), { events: 1, deliveries: 1 })
})

test('an outcome that is recorded late replaces an unknown one', {
  rules: ['outcome.late-one-replaces-unknown'],
}, async (t) => {
  // Its own jobs would keep the send in progress.
  const fixture = await startBreakable(t, { hasTimers: false })
  const { hub, up, refuseSettlements, newest } = fixture
  const second = await startSecondHub(t, up, { hasTimers: false })
  const { sending, held, again } = await startHeld(fixture)
  const allow = await refuseSettlements()
  held.answer(200, ACCEPTED)
  while (!hub.logs.some((line) => line.includes('was not recorded'))) await delay(20)

  await hub.clock.advance('2 minutes')
  await second.context.messages.markExpiredUnknown()
  const [marked, unknown] = [await newest(), await again()]
  await allow()
  const [answer, replay] = [await sending, await again()]

  assert.deepEqual([marked.status, toStatusAndCode(unknown)], ['unknown', [409, 'SEND_RESULT_UNKNOWN']])
  assert.deepEqual([answer.status, replay.status], [202, 202])
  assert.equal((await newest()).status, 'accepted')
  assert.deepEqual(await fixture.countPublished(), { events: 1, deliveries: 1 })
})

test('an outcome that is recorded together with one that the database refuses is answered with its contact', async (t) => {
  const fixture = await startBreakable(t, { hasTimers: false })
  const { hub, acme, channel } = fixture
  const [first, second] = [await startHeld(fixture), await startHeld(fixture)]
  const [logged = '', underWay = ''] = (await fixture.log()).map(({ id }) => id).sort()
  const organizationId = acme.organizationId
  await hub.sql`
    update unsettled_sends
    set sending_until = case message_id when ${logged} then hub_now() else sending_until end
    where channel_id = ${channel.id}`
  await hub.context.messages.markExpiredUnknown()
  await hub.sql.unsafe(`
    create function refuse_accepted() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse_accepted before update on messages
      for each row when (old.id = '${logged}') execute function refuse_accepted()`)
  const logger = createLogger('silent')
  const settlements = createSettlements({ ...hub.context, timeoutMs: 1000, logger })
  t.after(settlements.stop)
  const contact = identifyRecipient({ organizationId, channelId: channel.id, to: '5511976543210', userId: null })
  const createdAt = new Date().toISOString()
  const record = (messageId: string) => {
    const of = { organizationId, channelId: channel.id, messageId, key: null, bodyHash: null, callbackData: null }
    const body = { type: 'text', to: '5511976543210', contact, content: null, context: null, createdAt }
    const send = { ...of, ...body, isLogged: false, reservedAt: performance.now() } as unknown as ReservedSend
    return settlements.recordAccepted(
      { ...send, channel: { sender: null } } as ReservedSend,
      {
        wamid: `wamid.${messageId}`,
        wa_id: '551176543210',
        user_id: null,
      } as SentMessage,
    )
  }

  const recorded = [record(underWay), record(logged)]
  const answer = await recorded[0]
  await hub.sql.unsafe('drop function refuse_accepted cascade')
  const later = await recorded[1]

  const accepted = { wa_id: '551176543210', user_id: null }
  assert.deepEqual([answer, later], [accepted, accepted])
  for (const { held, sending } of [first, second]) {
    held.answer(200, ACCEPTED)
    await sending
  }
  assert.deepEqual(await fixture.countPublished(), { events: 2, deliveries: 2 })
})

test('the metrics count the outcomes that wait to be recorded', {
  rules: ['outcome.metrics-count-those-waiting'],
}, async (t) => {
  const fixture = await startBreakable(t)
  const { hub, refuseSettlements } = fixture
  const readGauge = async () =>
    (await hub.anonymous.get('/metrics')).text.match(/^hubline_unrecorded_sends (\d+)$/m)?.[1]
  const before = await readGauge()
  const { sending, held } = await startHeld(fixture)
  const allow = await refuseSettlements()
  held.answer(200, ACCEPTED)
  while (!hub.logs.some((line) => line.includes('was not recorded'))) await delay(20)

  const waiting = await readGauge()
  await allow()
  await sending

  assert.deepEqual([before, waiting, await readGauge()], ['0', '1', '0'])
})

test('a hub that stops records the outcomes that wait first', {
  rules: ['outcome.stop-records-those-waiting'],
}, async (t) => {
  const fixture = await startBreakable(t, { env: SHORT })
  const { hub, refuseSettlements, channel } = fixture
  const { sending, held } = await startHeld(fixture)
  const allow = await refuseSettlements()
  held.answer(200, ACCEPTED)
  const answer = await sending

  const stopped = hub.stop()
  await allow()
  await stopped

  assert.deepEqual(toStatusAndCode(answer), [409, 'SEND_RESULT_UNKNOWN'])
  const rows = await hub.sql`select status from messages where channel_id = ${channel.id}`
  assert.deepEqual([...rows], [{ status: 'accepted' }])
  assert.deepEqual(await fixture.countPublished(), { events: 1, deliveries: 1 })
})

test('a send is OVERLOADED before its key is reserved while too many outcomes wait to be recorded', {
  rules: ['outcome.too-many-waiting-refuse-sends'],
}, async (t) => {
  const fixture = await startBreakable(t)
  const { hub, acme, channel, relay, refuseSettlements } = fixture
  const { context } = hub
  const logger = createLogger('silent')
  const messages = createMessages({ ...context, timeoutMs: 1000, logger, checksTemplates: true, waitingWeightMax: 2 })
  t.after(messages.stop)
  const send = (key: string) => {
    const { to: number, ...body } = text()
    const recipient = { kind: 'number' as const, number, edge: 'messages' as const }
    const request = { organizationId: acme.organizationId, channelId: channel.id, key, recipient, body }
    return messages.send(request as Parameters<typeof messages.send>[0])
  }
  const allow = await refuseSettlements()
  const caught = [relay.catch('/messages'), relay.catch('/messages')]
  const sends = [send('the first'), send('the second')]
  for (const [n, held] of (await Promise.all(caught)).entries()) {
    held.answer(200, ACCEPTED.replace(WAMID, `${WAMID}.${n}`))
  }
  await Promise.allSettled(sends)

  await assert.rejects(send('the third'), { code: 'OVERLOADED' })
  const keys = await hub.sql`select key from message_keys where channel_id = ${channel.id} order by key`
  await allow()
  await messages.flush()
  const { result } = await send('the third')

  assert.deepEqual([...keys], [{ key: 'the first' }, { key: 'the second' }])
  assert.equal(result.kind, 'accepted')
})
