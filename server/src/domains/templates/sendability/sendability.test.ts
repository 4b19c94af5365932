import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { bearer, startHub } from '../../../../test/hub.ts'
import { buildEntry, startInbound } from '../../inbound/test/fixture.ts'

const NAME = 'pedido_pronto'
const LANGUAGE = 'pt_BR'
const BODY = { to: '5511987654321', type: 'template', template: { name: NAME, language: { code: LANGUAGE } } }

type Options = Parameters<typeof startInbound>[1]

/** A channel with an approved template, and what the upstream may report of it. */
async function startTemplate(t: TestContext, options: Options = {}) {
  const fixture = await startInbound(t, options)
  const { hub, up, acme, channel } = fixture
  const path = `/api/v1/channels/${channel.id}`
  const components = [{ type: 'BODY', text: 'Seu pedido está pronto.' }]
  const created = await acme.post(`${path}/templates`, {
    name: NAME,
    language: LANGUAGE,
    category: 'UTILITY',
    components,
  })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body.data.template
  /** The upstream as it is now, without a callback to the hub. */
  const setQuietly = async (status: string) => {
    const { url } = await up.simulator.control<{ url: string }>('PUT', '/callback', {
      url: 'http://127.0.0.1:1/',
      verify: false,
    })
    await up.simulator.control('POST', `/templates/${id}`, { status })
    return url
  }
  await setQuietly('APPROVED')
  const now = () => Math.floor(hub.clock.now().getTime() / 1000)

  return {
    ...fixture,
    path,
    setQuietly,
    now,

    /** Posts a signed callback about the template. */
    async report(event: string, { at = now(), pause, ...more }: { at?: number; pause?: string } & object = {}) {
      await fixture.deliver(
        buildEntry(
          channel,
          'message_template_status_update',
          {
            event,
            message_template_id: 1,
            message_template_name: NAME,
            message_template_language: LANGUAGE,
            ...(pause !== undefined && { other_info: { title: pause } }),
            ...more,
          },
          at,
        ),
      )
    },

    post: (body: object = BODY, key: string = randomUUID(), by: Pick<typeof acme, 'post'> = acme, of = path) =>
      by.post(`${of}/messages`, body, { headers: { 'idempotency-key': key } }),

    async isSendable(): Promise<boolean> {
      const answer = await acme.post(`${path}/messages`, BODY, { headers: { 'idempotency-key': randomUUID() } })
      if (answer.status !== 202) assert.equal(answer.body.error.code, 'TEMPLATE_NOT_SENDABLE', answer.text)
      return answer.status === 202
    },

    async countCalls(): Promise<number> {
      const { requests } = await up.simulator.control<{ requests: { method: string; path: string }[] }>(
        'GET',
        '/requests',
      )
      return requests.filter((request) => request.method === 'POST' && request.path.endsWith('/messages')).length
    },
  }
}

for (const status of ['PAUSED', 'DISABLED', 'REJECTED']) {
  test(`a send with a template that a callback reported as ${status} is refused before its key is reserved`, {
    rules: ['template.unsendable-one-is-remembered', 'template.unsendable-one-is-refused'],
  }, async (t) => {
    const { report, post, log, countCalls, now } = await startTemplate(t)
    const key = randomUUID()
    const at = now()
    await report(status, { at })
    const before = await countCalls()

    const refused = await post(BODY, key)

    assert.deepEqual([refused.status, refused.body.error.code], [400, 'TEMPLATE_NOT_SENDABLE'])
    const since = new Date(at * 1000).toISOString()
    assert.partialDeepStrictEqual(refused.body.error.details, { name: NAME, language: LANGUAGE, status, since })
    assert.deepEqual([await log(), await countCalls()], [[], before])
    await report('APPROVED', { at: at + 1 })
    const sent = await post(BODY, key)
    assert.deepEqual([sent.status, sent.headers.get('idempotent-replayed')], [202, null])
  })
}

test('another language, another template and another account of the organization are sent', {
  rules: ['template.unsendable-one-is-refused', 'template.unreported-one-is-sent'],
}, async (t) => {
  const { report, post, connectAnother, acme, isSendable } = await startTemplate(t)
  const other = await connectAnother({ owner: acme })
  await report('PAUSED')

  const answers = [
    await post({ ...BODY, template: { name: NAME, language: { code: 'en_US' } } }),
    await post({ ...BODY, template: { name: 'another', language: { code: LANGUAGE } } }),
    await post(BODY, randomUUID(), acme, `/api/v1/channels/${other.id}`),
    await post({ to: BODY.to, type: 'text', text: { body: 'Bom dia!' } }),
  ]

  // The upstream has none of these three templates, which only it can know.
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error?.code]),
    [
      [400, 'UPSTREAM_REJECTED'],
      [400, 'UPSTREAM_REJECTED'],
      [400, 'UPSTREAM_REJECTED'],
      [202, undefined],
    ],
  )
  assert.equal(await isSendable(), false)
})

test('a report about an account holds for each of its channels, and is stored once', {
  rules: ['template.unsendable-one-is-remembered', 'template.unsendable-one-is-refused'],
}, async (t) => {
  const { report, post, connectAnother, acme, sql, channel } = await startTemplate(t)
  const sibling = await connectAnother({ owner: acme, wabaId: channel.number.wabaId })
  await report('PAUSED')

  const answer = await post(BODY, randomUUID(), acme, `/api/v1/channels/${sibling.id}`)

  assert.deepEqual([answer.status, answer.body.error.code], [400, 'TEMPLATE_NOT_SENDABLE'])
  const rows = await sql`select organization_id from unsendable_templates where waba_id = ${channel.number.wabaId}`
  assert.deepEqual(
    [...rows].map(({ organization_id }) => organization_id),
    [acme.organizationId],
  )
})

for (const [what, options, minutes] of [
  ['the first pause after 3 hours', { pause: 'FIRST_PAUSE' }, 180],
  ['the second pause after 6 hours', { pause: 'SECOND_PAUSE' }, 360],
  ['another pause after 24 hours', { pause: 'RATE_LIMITING_PAUSE' }, 1440],
  ['a pause without a name after 24 hours', {}, 1440],
] as const) {
  test(`the hub forgets ${what}`, { rules: ['template.refusal-ends-by-itself'] }, async (t) => {
    const { hub, report, isSendable } = await startTemplate(t)
    await report('PAUSED', options)

    await hub.clock.advance(`${minutes - 1} minutes`)
    const before = await isSendable()
    await hub.clock.advance('2 minutes')

    assert.deepEqual([before, await isSendable()], [false, true])
  })
}

for (const event of ['APPROVED', 'REINSTATED']) {
  test(`${event} ends the memory, and an older report that comes later does not bring it back`, {
    rules: ['template.refusal-ends-by-itself', 'template.older-report-changes-nothing'],
  }, async (t) => {
    const { report, isSendable, now } = await startTemplate(t)
    const at = now()

    await report('PAUSED', { at })
    await report(event, { at: at - 60 })
    const older = await isSendable()
    await report(event, { at: at + 60 })
    const ended = await isSendable()
    await report('PAUSED', { at: at + 30, pause: 'FIRST_PAUSE' })

    assert.deepEqual([older, ended, await isSendable()], [false, true, true])
  })
}

test('a status that says nothing of sending changes nothing', {
  rules: ['template.refusal-ends-by-itself'],
}, async (t) => {
  const { report, isSendable } = await startTemplate(t)
  for (const event of ['FLAGGED', 'PENDING', 'IN_APPEAL', 'toString']) await report(event)
  const before = await isSendable()
  await report('PAUSED')
  await report('FLAGGED', { pause: 'NONE' })

  assert.deepEqual([before, await isSendable()], [true, false])
})

test('a listing says which templates cannot be sent, and which can again', {
  rules: ['template.unsendable-one-is-remembered'],
}, async (t) => {
  const { hub, acme, path, setQuietly, isSendable, countCalls } = await startTemplate(t)
  await setQuietly('PAUSED')
  await acme.get(`${path}/templates`)
  const calls = await countCalls()
  const paused = await isSendable()
  const unchanged = await countCalls()
  await setQuietly('APPROVED')
  await hub.clock.advance('1 minute')
  await acme.get(`${path}/templates`)

  assert.deepEqual([paused, unchanged, await isSendable()], [false, calls, true])
})

test('repeated listings do not make the memory last longer', {
  rules: ['template.refusal-ends-by-itself'],
}, async (t) => {
  const { hub, acme, path, setQuietly, report, isSendable } = await startTemplate(t)
  await report('PAUSED', { pause: 'FIRST_PAUSE' })
  await setQuietly('PAUSED')
  await hub.clock.advance('2 hours')
  await acme.get(`${path}/templates`)
  await setQuietly('APPROVED')
  await hub.clock.advance('61 minutes')

  assert.equal(await isSendable(), true)
})

test('a listing through the facade says so too', { rules: ['template.unsendable-one-is-remembered'] }, async (t) => {
  const { hub, acme, channel, setQuietly, isSendable } = await startTemplate(t)
  const reader = await hub.channelToken(acme.organizationId, channel.id, ['templates:read'])
  await setQuietly('DISABLED')

  const listed = await reader.get(`/upstream/${channel.number.wabaId}/message_templates`)

  assert.equal(listed.status, 200, listed.text)
  assert.equal(await isSendable(), false)
})

for (const [status, code] of [
  ['PAUSED', 132015],
  ['DISABLED', 132016],
] as const) {
  test(`the upstream's ${code} on a send is remembered as ${status}, and the next send is refused by the hub`, {
    rules: ['template.unsendable-one-is-remembered'],
  }, async (t) => {
    const { post, setQuietly, countCalls } = await startTemplate(t)
    await setQuietly(status)
    const key = randomUUID()

    const first = await post(BODY, key)
    const calls = await countCalls()
    const second = await post()
    const replay = await post(BODY, key)

    assert.deepEqual([first.body.error.code, first.body.error.details.code], ['UPSTREAM_REJECTED', code])
    assert.deepEqual([second.body.error.code, second.body.error.details.status], ['TEMPLATE_NOT_SENDABLE', status])
    assert.deepEqual([replay.body.error.code, await countCalls()], ['UPSTREAM_REJECTED', calls])
  })
}

test('a client of the facade gets the refusal of the upstream, from which the hub learns too', {
  rules: ['template.unsendable-one-is-remembered', 'template.facade-forwards-any'],
}, async (t) => {
  const { hub, acme, channel, setQuietly, isSendable, report } = await startTemplate(t)
  const sender = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const send = () =>
    sender.post(`/upstream/${channel.number.phoneNumberId}/messages`, { messaging_product: 'whatsapp', ...BODY })
  await setQuietly('PAUSED')

  const refused = await send()
  const known = await isSendable()
  await setQuietly('APPROVED')
  const sent = await send()

  assert.deepEqual([refused.body.error.code, refused.body.error.details.code], ['UPSTREAM_REJECTED', 132015])
  assert.deepEqual([known, sent.status], [false, 200])
  await report('PAUSED')
  assert.equal((await send()).status, 200)
})

test('a key that was sent with before the pause answers as before', {
  rules: ['template.unsendable-one-is-refused'],
}, async (t) => {
  const { post, report } = await startTemplate(t)
  const key = randomUUID()
  const first = await post(BODY, key)
  await report('PAUSED')

  const replay = await post(BODY, key)

  assert.deepEqual([replay.status, replay.headers.get('idempotent-replayed')], [202, 'true'])
  assert.deepEqual(replay.body, first.body)
})

test('a report that one process receives holds in another', {
  rules: ['template.unsendable-one-is-refused'],
}, async (t) => {
  const { hub, up, acme, channel, report, post } = await startTemplate(t)
  const second = await startHub(t, { simulator: up.simulator })
  const { token } = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  await report('PAUSED')

  const answers = [await post(BODY, randomUUID(), second.anonymous.with(bearer(token))), await post()]

  for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [400, 'TEMPLATE_NOT_SENDABLE'])
})

test('reports of one template at once leave one row with the latest', {
  rules: ['template.older-report-changes-nothing'],
}, async (t) => {
  const { channel, report, sql, isSendable, now } = await startTemplate(t)
  const at = now()

  await Promise.all(Array.from({ length: 20 }, (_, i) => report(i % 2 === 0 ? 'PAUSED' : 'APPROVED', { at: at + i })))

  const rows = await sql`select status from unsendable_templates where waba_id = ${channel.number.wabaId}`
  assert.deepEqual(
    [...rows].map(({ status }) => status),
    [null],
  )
  assert.equal(await isSendable(), true)
})

test('with TEMPLATE_CHECK=off every template is sent', { rules: ['template.facade-forwards-any'] }, async (t) => {
  const { report, isSendable } = await startTemplate(t, { env: { TEMPLATE_CHECK: 'off' } })
  await report('PAUSED')

  assert.equal(await isSendable(), true)
})

test('a forgotten report is deleted a day later, and the rest with its organization', {
  rules: ['template.refusal-ends-by-itself'],
}, async (t) => {
  const { hub, acme, channel, report, sql } = await startTemplate(t)
  const count = async () =>
    (await sql`select count(*)::int from unsendable_templates where waba_id = ${channel.number.wabaId}`)[0]?.count
  await report('PAUSED')
  await hub.clock.advance('47 hours')
  await hub.context.templateStates.deleteOld()
  const kept = await count()
  await hub.clock.advance('2 hours')
  await hub.context.templateStates.deleteOld()
  const left = await count()
  await report('PAUSED')
  while ((await hub.context.templateStates.deleteOfOrganization(acme.organizationId)) > 0);

  assert.deepEqual([kept, left, await count()], [1, 0, 0])
})

test('a report with a time in the future ends after its hours all the same, and a later one replaces it', {
  rules: ['template.refusal-ends-by-itself', 'template.older-report-changes-nothing'],
}, async (t) => {
  const { hub, report, isSendable, now } = await startTemplate(t)
  await report('PAUSED', { at: now() + 400 * 86_400 })
  const paused = await isSendable()
  await hub.clock.advance('1 minute')
  await report('APPROVED')
  const ended = await isSendable()
  await report('PAUSED', { at: now() + 400 * 86_400 })
  await hub.clock.advance('25 hours')

  assert.deepEqual([paused, ended, await isSendable()], [false, true, true])
})
