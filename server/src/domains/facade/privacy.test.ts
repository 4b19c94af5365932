import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, createClient } from '../../../test/client.ts'
import { createChannel, startWorld } from '../../../test/connecting.ts'
import { bearer } from '../../../test/hub.ts'
import { connectWithToken } from '../../../test/relay.ts'
import { everythingStored, formsOf } from '../../../test/stored.ts'
import { exchange } from '../../../test/wire.ts'
import { FILES } from '../media/test/files.ts'
import { formOf, MULTIPART } from '../media/test/uploads.ts'
import { somebody, TEMPLATE } from './test/scene.ts'

/** Of no shape that the log would blot out by itself: what is not found was not written. */
const CANARY = 'canary-of-the-facade/5d0e+1a=b'

function assertNowhere(place: string, text: string): void {
  const forms = [...formsOf(CANARY), encodeURIComponent(CANARY), CANARY.replaceAll('/', '\\/')]
  for (const form of forms) assert.ok(!text.includes(form), `${place} holds ${form}: ${text.slice(0, 2000)}`)
}

/** A channel whose stored token is the canary, another one beside it, and a client whose every answer is kept. */
async function startWatched(t: TestContext) {
  const world = await startWorld(t, { env: { BILLING: 'off' } })
  const { hub, up } = world
  const acme = await hub.organization()
  const number = await up.number()
  await up.simulator.control('POST', '/tokens', { waba_id: number.wabaId, access_token: CANARY })
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const { id, token } = await createChannel(acme)
  assert.equal((await connectWithToken(acme, id, { ...number, accessToken: CANARY })).status, 200)
  const other = await world.connect(acme)
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${`${acme.organizationId}:${id}`}, -1000000, hub_now() + interval '1 day')`

  const answers: { what: string; answer: Answer }[] = []
  const client = createClient(hub.url, bearer(token), (method, path, answer) => {
    answers.push({ what: `${method} ${path}`, answer })
  })
  return { ...world, acme, id, token, number, other, client, answers }
}

type Watched = Awaited<ReturnType<typeof startWatched>>

function upload({ client }: Watched, path: string): Promise<Answer> {
  const raw = formOf([{ bytes: FILES.png!.bytes, name: 'a.png' }])
  return client.send('POST', path, { raw, headers: MULTIPART })
}

/** Everything that the facade can do, once. */
async function useAll(world: Watched): Promise<Answer[]> {
  const { client, number } = world
  const [phone, waba] = [`/upstream/${number.phoneNumberId}`, `/upstream/${number.wabaId}`]
  const uploaded = await upload(world, `${phone}/media`)
  const media = `/upstream/${uploaded.body?.id ?? '1'}`
  const answers = [uploaded]
  for (const name of ['one', 'two', 'three']) {
    answers.push(await client.post(`${waba}/message_templates`, { ...TEMPLATE, name }))
  }
  for (const path of [
    ...[phone, waba, `${phone}/whatsapp_business_profile?fields=about`, `${waba}/message_templates?limit=1`],
    ...[`${waba}?fields=pricing_analytics.start(1).end(2).granularity(DAILY)`, media, `${media}/content`],
  ]) {
    answers.push(await client.get(path))
  }
  answers.push(
    await client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } }),
    await client.post(`${phone}/messages`, { status: 'read', message_id: 'wamid.x' }),
    await client.post(`${phone}/messaging_business_profile`, { about: 'x' }),
    await client.post(`${phone}/calls`, { messaging_product: 'whatsapp', call_id: 'wacid.x', action: 'reject' }),
    await upload(world, `${waba}/header_handle`),
    await client.delete(`${waba}/message_templates?name=one`),
    await client.get(`${phone}?access_token=${encodeURIComponent(CANARY)}`),
    await client.get(phone, { headers: bearer(CANARY) }),
  )
  return answers
}

test("the upstream's token is in no answer, no log line and no table but sealed, whatever is done through the facade", async (t) => {
  const world = await startWatched(t)
  const { hub, up } = world

  const used = await useAll(world)
  for (const kind of ['http', 'error', 'throttle', 'reset_after', 'garbled_after']) {
    await world.fault(kind, '/', { times: null, code: kind === 'error' ? 100 : 80007 })
    await useAll(world)
    await world.liftFaults()
  }
  await up.simulator.control('POST', '/tokens/revoke', { access_token: CANARY })
  const dead = await useAll(world)

  const good = used.filter(({ status }) => status === 200).length
  assert.ok(good >= 13, `only ${good} of ${used.length} calls were good`)
  assert.ok(dead.every(({ status }) => status >= 400))
  const paging = used.find(({ body }) => body?.paging?.next)
  assert.ok(paging, 'no page had a next one, so that its address was never looked at')
  for (const { what, answer } of world.answers) {
    const headers = [...answer.headers].map((header) => header.join(': ')).join('\n')
    assertNowhere(what, `${answer.text}\n${headers}`)
  }
  for (const line of hub.logs) assertNowhere('a log line', line)
  assert.ok(hub.logs.some((line) => line.includes('"level":"debug"') && line.includes('facade.templates')))
  assertNowhere('the database', await everythingStored(hub.sql))
})

/** The paths that the upstream may ever be asked for on behalf of the channel, with its own ids. */
function allowedPaths({ number }: Watched, mediaId: string): Set<string> {
  const { phoneNumberId: phone, wabaId: waba } = number
  return new Set([
    ...[`GET /${phone}`, `GET /${waba}`, `GET /${mediaId}`, `GET /whatsapp_business/attachments`],
    ...[`GET /${phone}/whatsapp_business_profile`, `POST /${phone}/whatsapp_business_profile`],
    ...[`POST /${phone}/messages`, `POST /${phone}/calls`],
    ...[`GET /${waba}/message_templates`, `POST /${waba}/message_templates`, `DELETE /${waba}/message_templates`],
  ])
}

/** Addresses around those of the allowlist: real ids and edges, and every way of spelling a path as another. */
function addresses({ number, other, up }: Watched, mediaId: string) {
  const id = fc.constantFrom(
    ...[number.phoneNumberId, number.wabaId, mediaId, number.phoneNumberId, number.wabaId],
    ...[
      other.number.phoneNumberId,
      other.number.wabaId,
      up.simulator.appId,
      'me',
      'oauth',
      'debug_token',
      'upload:x',
      '1',
    ],
  )
  const edge = fc.constantFrom(
    ...['', '/messages', '/whatsapp_business_profile', '/messaging_business_profile', '/message_templates', '/calls'],
    ...['/content', '/subscribed_apps', '/phone_numbers', '/register', '/uploads', '/access_token', '/..', '/%2e%2e'],
  )
  const prefix = fc.constantFrom('', '', '', 'v25.0/', 'v1.0/', 'V25.0/', 'v25.0/v25.0/', '/', './', '../', '%2e%2e/')
  const suffix = fc.constantFrom(
    '',
    '',
    '',
    '/',
    '//',
    '/.',
    '/..',
    '%2f',
    '%2F..',
    ';a=b',
    '%3Ffields=id',
    '#x',
    '\\',
    '%09',
  )
  const hop = fc.constantFrom(
    '',
    '',
    '',
    `/../${other.number.phoneNumberId}`,
    '/..;/me',
    `%2f..%2f${up.simulator.appId}`,
  )
  const parameter = fc.constantFrom(
    ...['fields=id', 'fields=id,name', 'fields=phone_numbers', 'fields=name%7Bid%7D', 'limit=5', 'after=x', 'name=x'],
    ...['method=delete', 'ids=1,2', 'access_token=x', 'access%5ftoken=x', 'hsm_id=1', 'messaging_product=whatsapp'],
    ...['fields=pricing_analytics.dimensions(PHONE)', 'phone_number_id=1', 'include_headers=true', '=', '%00', '&&'],
  )
  const query = fc.array(parameter, { maxLength: 2 }).map((list) => (list.length > 0 ? `?${list.join('&')}` : ''))
  const plain = fc.tuple(prefix, id, edge, hop, suffix, query).map((parts) => parts.join(''))
  const escaped = fc.tuple(plain, fc.nat(40)).map(([text, at]) => percented(text, at))
  const straight = fc.tuple(fc.constantFrom('', 'v25.0/'), id, edge, query).map((parts) => parts.join(''))
  const strange = fc.tuple(fc.constantFrom('GET', 'POST', 'DELETE'), fc.oneof(plain, escaped, straight))
  return fc.oneof({ weight: 4, arbitrary: strange }, { weight: 1, arbitrary: rightOnes(number, mediaId) })
}

/** What should pass, so that not everything is refused for something that the test did not mean. */
function rightOnes({ phoneNumberId, wabaId }: Watched['number'], mediaId: string) {
  return fc.constantFrom<[string, string]>(
    ['GET', phoneNumberId],
    ['GET', `v25.0/${wabaId}?fields=id`],
    ['GET', `${mediaId}`],
    ['GET', `${mediaId}/content`],
    ['GET', `${phoneNumberId}/messaging_business_profile?fields=about`],
    ['GET', `${wabaId}/message_templates?limit=1`],
    ['POST', `${phoneNumberId}/whatsapp_business_profile`],
  )
}

/** The same address with one character written as an escape, which some would decode and some would not. */
function percented(text: string, at: number): string {
  const char = text[at]
  if (char === undefined || char === '%') return text
  return `${text.slice(0, at)}%${char.charCodeAt(0).toString(16).padStart(2, '0')}${text.slice(at + 1)}`
}

test('however an address is spelled, the upstream is asked for no path outside the allowlist, and the token stays inside', async (t) => {
  const world = await startWatched(t)
  const { hub, token, number, requests } = world
  const mediaId = (await upload(world, `/upstream/${number.phoneNumberId}/media`)).body.id
  const before = (await requests()).length
  const statuses = new Map<number, number>()
  const body = JSON.stringify({ to: somebody(), text: { body: 'x' }, ...TEMPLATE, about: 'x' })

  async function send(method: string, path: string) {
    const hasBody = method === 'POST'
    const head = [
      `${method} /upstream/${path} HTTP/1.1`,
      'Host: hub',
      `Authorization: Bearer ${token}`,
      ...(hasBody ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
      'Connection: close',
    ]
    return exchange(hub.url, `${head.join('\r\n')}\r\n\r\n${hasBody ? body : ''}`)
  }

  await fc.assert(
    fc.asyncProperty(addresses(world, mediaId), async ([method, path]) => {
      const answer = await send(method, path)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      assertNowhere(`${method} ${path}`, `${answer.text}\n${[...answer.headers].join('\n')}`)
      assert.ok([200, 400, 401, 404].includes(answer.status), `${method} ${path} answered ${answer.status}`)
    }),
    { numRuns: 300 },
  )

  const allowed = allowedPaths(world, mediaId)
  const asked = (await requests()).slice(before)
  for (const { method, path, token_in, params } of asked) {
    assert.ok(allowed.has(`${method} ${path}`), `the upstream was asked ${method} ${path}`)
    assert.equal(token_in, 'bearer')
    for (const name of ['access_token', 'method', 'ids', 'include_headers']) assert.ok(!(name in params), name)
    assert.doesNotMatch(String(params.fields ?? ''), /phone_numbers|PHONE|\{/)
  }
  t.diagnostic(`${asked.length} questions to the upstream; ${JSON.stringify([...statuses])}`)
  assert.ok(asked.length > 20, 'hardly anything was ever let through')
  assert.ok((statuses.get(404) ?? 0) > 50)
  for (const line of hub.logs) assertNowhere('a log line', line)
})
