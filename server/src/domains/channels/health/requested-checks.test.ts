import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { bearer, startHub } from '../../../../test/hub.ts'
import { listEvents, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'

let contacts = 0

/** A connected channel, and a count of the checks that traffic has caused. */
async function startTraffic(t: TestContext) {
  const fixture = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const { hub, up } = fixture
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  const { phoneNumberId, wabaId, accessToken } = channel.number
  const path = `/${phoneNumberId}`
  const listChecks = async () =>
    (await fixture.requests(path)).filter((request) => request.method === 'GET' && request.path === path)
  const before = (await listChecks()).length

  function send(client = acme) {
    const to = String(5511950000000 + ++contacts)
    const headers = { 'idempotency-key': randomUUID() }
    return client.post(
      `/api/v1/channels/${channel.id}/messages`,
      { to, type: 'text', text: { body: 'x' } },
      { headers },
    )
  }
  function forward() {
    const body = { to: String(5511950000000 + ++contacts), text: { body: 'x' } }
    return hub.anonymous.with(bearer(channel.token)).post(`/upstream/${phoneNumberId}/messages`, body)
  }

  return {
    ...fixture,
    acme,
    channel,
    send,
    forward,
    /** The upstream's nodes that health checks have read since the channel was connected. */
    countChecks: async () => (await listChecks()).length - before,
    runChecks: () => hub.context.requestedChecks.run(),
    lock: () => up.simulator.control('PATCH', `/accounts/${wabaId}`, { locked: true }),
    deregister: () =>
      fetch(`${up.simulator.url}/v25.0/${phoneNumberId}/deregister`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}` },
      }),
    change: (members: object) => up.simulator.control('PATCH', `/numbers/${phoneNumberId}`, { ...members }),
    shown: async () => (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel,
    moves: async () =>
      (await listEvents(hub.sql, channel.id))
        .filter(({ kind }) => kind.startsWith('channel.'))
        .slice(2)
        .map(({ kind, data }) => [kind, data.reason]),
  }
}

for (const [code, cause, reason] of [
  [131031, 'lock', 'number_banned'],
  [133010, 'deregister', 'number_disconnected'],
] as const) {
  for (const way of ['send', 'forward'] as const) {
    test(`the upstream's ${code} on a ${way === 'send' ? 'send' : 'send by the facade'} starts a check of the channel`, {
      rules: ['channel.refused-send-starts-a-check'],
    }, async (t) => {
      const fixture = await startTraffic(t)
      await fixture[cause]()

      const answer = await fixture[way]()
      const during = await fixture.countChecks()
      await fixture.runChecks()

      assert.deepEqual([answer.status, answer.body.error.details.code], [400, code])
      assert.deepEqual([during, await fixture.countChecks()], [0, 1])
      assert.deepEqual(await fixture.moves(), [['channel.disconnected', reason]])
    })
  }
}

test('another refusal of a send starts no check', { rules: ['channel.refused-send-starts-a-check'] }, async (t) => {
  const { fault, send, runChecks, countChecks } = await startTraffic(t)
  await fault('error', '/messages', { code: 131009 })

  const { status } = await send()
  await runChecks()

  assert.deepEqual([status, await countChecks()], [400, 0])
})

test('traffic causes one check per channel and minute, and one that is asked for meanwhile comes after the minute', {
  rules: ['channel.checks-at-most-once-a-minute'],
}, async (t) => {
  const { hub, fault, send, runChecks, countChecks } = await startTraffic(t)
  await fault('error', '/messages', { code: 131031, times: null })
  const counts: number[] = []
  const check = async () => {
    await runChecks()
    counts.push(await countChecks())
  }

  for (let count = 0; count < 5; count++) await send()
  await check()
  await send()
  await check()
  await hub.clock.advance('59 seconds')
  await check()
  await hub.clock.advance('2 seconds')
  await check()
  await check()

  assert.deepEqual(counts, [1, 1, 1, 2, 2])
})

test('many processes together check a channel once a minute', {
  rules: ['channel.checks-at-most-once-a-minute'],
}, async (t) => {
  const { hub, up, acme, fault, send, countChecks } = await startTraffic(t)
  const others = [await startHub(t, { simulator: up.simulator }), await startHub(t, { simulator: up.simulator })]
  const hubs = [hub, ...others]
  await fault('error', '/messages', { code: 131031, times: null })

  const answers = await Promise.all(hubs.map(({ anonymous }) => send(anonymous.with(bearer(acme.key)) as typeof acme)))
  await Promise.all(hubs.map(({ context }) => context.requestedChecks.run()))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400],
  )
  assert.equal(await countChecks(), 1)
})

test("a flag of a number and its end make the channel's rating that of the upstream", {
  rules: ['channel.quality-is-the-upstreams'],
}, async (t) => {
  const { hub, change, shown, runChecks, moves } = await startTraffic(t)
  const ratings: [string, string][] = []
  const note = async () => {
    await runChecks()
    const { status, quality_rating } = await shown()
    ratings.push([status, quality_rating])
  }

  await note()
  // The node of the number still reports the status of before the flag.
  await change({ quality: 'RED' })
  await note()
  await hub.clock.advance('61 seconds')
  await change({ quality: 'GREEN' })
  await note()

  assert.deepEqual(ratings, [
    ['active', 'GREEN'],
    ['degraded', 'RED'],
    ['active', 'GREEN'],
  ])
  assert.deepEqual(await moves(), [
    ['channel.degraded', 'number_flagged'],
    ['channel.connected', 'number_unflagged'],
  ])
})

test("an upgrade of a number's throughput raises the sends that its channel may make", {
  rules: ['limit.throughput-is-read-at-checks'],
}, async (t) => {
  const { change, send, runChecks, countChecks } = await startTraffic(t)
  const limits: (string | null)[] = []
  const note = async () => limits.push((await send()).headers.get('ratelimit-limit'))

  await note()
  await change({ throughput: 'HIGH' })
  await runChecks()
  await note()

  assert.deepEqual(limits, ['80', '1000'])
  assert.equal(await countChecks(), 1)
})

test("the hourly check reads a number's throughput, and one that answers without it keeps the last", {
  rules: ['limit.throughput-is-read-at-checks'],
}, async (t) => {
  const { hub, change, send, fault } = await startTraffic(t)
  await change({ throughput: 'HIGH' })
  await hub.clock.advance('61 minutes')
  await hub.context.health.checkDue()
  const raised = await send()
  await fault('error', '/messages', { code: 131031 })
  await send()

  await hub.context.requestedChecks.run()
  const kept = await send()

  assert.deepEqual(
    [raised, kept].map(({ headers }) => headers.get('ratelimit-limit')),
    ['1000', '1000'],
  )
})

test('a channel that is deleted after a request is not checked', {
  rules: ['channel.refused-send-starts-a-check'],
}, async (t) => {
  const fixture = await startTraffic(t)
  const { hub, acme, channel, fault, send, runChecks } = fixture
  await fault('error', '/messages', { code: 131031 })
  await send()
  await acme.delete(`/api/v1/channels/${channel.id}`)

  await runChecks()

  assert.equal(await fixture.countChecks(), 0)
  assert.deepEqual((await listEvents(hub.sql, channel.id)).at(-1)?.kind, 'channel.disconnected')
})
