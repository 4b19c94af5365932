import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer, type Client, createClient } from './client.ts'
import { bearer } from './hub.ts'
import { createChannel, readChannelRow, readLinkToken, startHubWithUpstream } from './hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from './stored-secrets.ts'

/** Not a format that the logger redacts: if it is not found, it was not logged. */
const CANARY = 'canary-of-the-sign-up/3f1c9a'
const OPERATOR_CANARY = 'canary-of-the-operator/8b2d70'
const PIN = '654321'

const TEMPLATE = {
  name: 'order_ready',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

/** A hub with an organization, and a list of all its responses. */
async function startWatched(t: TestContext) {
  const fixture = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '2000', BILLING: 'off' } })
  const answers: { what: string; answer: Answer }[] = []
  const anonymous = createClient(fixture.hub.url, {}, (method, path, answer) => {
    answers.push({ what: `${method} ${path}`, answer })
  })
  const { organizationId, key } = await fixture.hub.organization()
  return { ...fixture, answers, anonymous, organizationId, acme: anonymous.with(bearer(key)) }
}

type Watched = Awaited<ReturnType<typeof startWatched>>

/** Goes through the sign-up with every kind of failure. The token is stored with the link, and then with the channel. */
async function signUp(fixture: Watched) {
  const { acme, anonymous, up } = fixture
  const { id } = await createChannel(acme)
  const made = await acme.post(`/api/v1/channels/${id}/connect-link`)
  const link = readLinkToken(made.body.data.connect_url)
  const number = await up.number({ registered: false, pin: PIN })
  const code = await up.signUpCode(number.wabaId, CANARY)
  const path = `/api/v1/connect/${link}`
  const body = { code, waba_id: number.wabaId }

  await anonymous.get(`/connect/${link}`)
  await anonymous.get(path)
  await anonymous.get(`${path}?access_token=${CANARY}`)
  await anonymous.post(path, { ...body, access_token: CANARY })
  await anonymous.post(path, { ...body, waba_id: CANARY })
  for (const step of ['/debug_token', '/phone_numbers', '/subscribed_apps', '/register']) {
    for (const kind of ['http', 'error', 'reset_before', 'hang_before']) {
      await fixture.fault(kind, step, { times: null, code: 190 })
      await anonymous.post(path, { ...body, pin: PIN })
      await fixture.liftFaults()
    }
    // A link takes ten attempts in 15 minutes.
    await fixture.hub.sql`delete from rate_limits where bucket = 'connect'`
  }
  await up.simulator.control('PUT', '/limits', { enforced: false })
  const asked = await anonymous.post(path, body)
  assert.equal(asked.body.error.details.pin_required, true)
  await anonymous.post(path, { ...body, pin: '111111' })
  return { id, link, code, number, finish: () => anonymous.post(path, { ...body, pin: PIN }) }
}

async function upload(client: Client, channelId: string): Promise<Answer> {
  const boundary = 'canary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n`
  const raw = `${head}content-type: application/pdf\r\n\r\n%PDF-1.7 a file\r\n--${boundary}--\r\n`
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return client.post(`/api/v1/channels/${channelId}/media`, undefined, { headers, raw })
}

/** Everything that the hub does upstream with a channel's token. */
async function useChannel(fixture: Watched, id: string): Promise<number[]> {
  const { acme, hub, organizationId } = fixture
  const path = `/api/v1/channels/${id}`
  const statuses = [
    await acme.get(`${path}/diagnostics`),
    await acme.post(`${path}/templates`, TEMPLATE),
    await acme.get(`${path}/templates?limit=1`),
    await upload(acme, id),
    await acme.get(path),
    await acme.get('/api/v1/channels'),
  ].map(({ status }) => status)
  await hub.context.health.check({ organizationId, id })
  return statuses
}

/** The same while the upstream fails in every way. */
async function useWithFailures(fixture: Watched, id: string): Promise<void> {
  for (const kind of ['http', 'error', 'throttle', 'reset_after', 'garbled_after', 'hang_after']) {
    await fixture.fault(kind, '/', { times: null, code: kind === 'error' ? 100 : 80007 })
    await useChannel(fixture, id)
    await fixture.liftFaults()
  }
}

/** Sends a token of the operator in the right field and in wrong ones. */
async function connectAsOperator(fixture: Watched): Promise<string> {
  const { acme, up } = fixture
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}`
  const { wabaId, phoneNumberId } = await up.number({ registered: false, pin: PIN })
  const body = { access_token: OPERATOR_CANARY, waba_id: wabaId, phone_number_id: phoneNumberId, pin: PIN }
  await acme.post(`${path}/connection`, body)
  await up.simulator.control('POST', '/tokens', { waba_id: wabaId, access_token: OPERATOR_CANARY })
  await acme.post(`${path}/connection`, { ...body, pin: '111111' })
  await acme.post(`${path}/connection`, { ...body, access_token: `${OPERATOR_CANARY} ` })
  await acme.post(`${path}/connection`, { ...body, phone_number_id: OPERATOR_CANARY })
  await acme.patch(path, { access_token: OPERATOR_CANARY })
  await acme.get(`${path}?access_token=${OPERATOR_CANARY}`)
  await fixture.anonymous.get(path, { headers: bearer(OPERATOR_CANARY) })
  assert.equal((await acme.post(`${path}/connection`, body)).status, 200)
  return id
}

function assertAbsent(where: string, text: string, secrets: readonly string[]): void {
  for (const form of secrets.flatMap(listEncodings))
    assert.ok(!text.includes(form), `${where} contains ${form}: ${text}`)
}

test('an upstream token is in no log line and no response, and only sealed in the database', {
  rules: ['connect.urls-reach-no-log'],
}, async (t) => {
  const fixture = await startWatched(t)
  const { acme, hub, up } = fixture
  const secrets = [CANARY, OPERATOR_CANARY]
  const stored = async (when: string) => assertAbsent(`the database ${when}`, await dumpDatabase(hub.sql), secrets)

  const { id, link, code, number, finish } = await signUp(fixture)
  const [waiting] = await hub.sql`select 1 from connect_links where exchanged_token is not null`
  await stored('while a PIN is awaited')
  const connected = await finish()
  const operatorId = await connectAsOperator(fixture)
  await stored('after connecting')
  const used = [...(await useChannel(fixture, id)), ...(await useChannel(fixture, operatorId))]
  await useWithFailures(fixture, id)
  await stored('after use')
  const place = { table: 'channels', column: 'access_token', organizationId: fixture.organizationId }
  const kept = await Promise.all(
    [id, operatorId].map(async (rowId) => {
      return hub.context.sealing.open((await readChannelRow(hub.sql, rowId)).access_token ?? '', { ...place, rowId })
    }),
  )
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: number.wabaId })
  await useChannel(fixture, id)
  await acme.delete(`/api/v1/channels/${id}?deregister=true`)
  await acme.delete(`/api/v1/channels/${operatorId}?deregister=true`)
  await acme.get('/api/v1/audit-log?limit=100')
  await hub.runJobs()
  await stored('after the deletion')

  assert.ok(waiting, 'the token of a sign-up was never stored, so its column was not checked')
  assert.equal(connected.status, 200)
  assert.deepEqual(used, [200, 201, 200, 201, 200, 200, 200, 201, 200, 201, 200, 200])
  assert.deepEqual(kept, secrets)
  for (const line of hub.logs) assertAbsent('a log line', line, [...secrets, code, link, 'hub_cl_'])
  assert.ok(hub.logs.some((line) => line.includes('"level":"debug"') && line.includes('upstream call')))
  for (const { what, answer } of fixture.answers) {
    const headers = [...answer.headers].map((header) => header.join(': ')).join('\n')
    assertAbsent(what, `${answer.text}\n${headers}`, [...secrets, code])
  }
  const showing = fixture.answers.filter(({ answer }) => answer.text.includes(link))
  assert.deepEqual(
    showing.map(({ what }) => what),
    [`POST /api/v1/channels/${id}/connect-link`],
  )
})
