import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer, type Client, createClient } from './client.ts'
import { bearer } from './hub.ts'
import { createChannel, readChannelRow, readLinkToken, startHubWithUpstream } from './hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from './stored-secrets.ts'

/** Of no shape that the log would blot out by itself: what is not found was not written. */
const CANARY = 'canary-of-the-sign-up/3f1c9a'
const OPERATOR_CANARY = 'canary-of-the-operator/8b2d70'
const PIN = '654321'

const TEMPLATE = {
  ...{ name: 'order_ready', language: 'pt_BR', category: 'UTILITY' },
  components: [{ type: 'BODY', text: 'Seu pedido está pronto.' }],
}

/** A hub whose every answer is kept, with an organization in it. */
async function startWatched(t: TestContext) {
  const world = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '1000', BILLING: 'off' } })
  const answers: { what: string; answer: Answer }[] = []
  const anonymous = createClient(world.hub.url, {}, (method, path, answer) => {
    answers.push({ what: `${method} ${path}`, answer })
  })
  const { organizationId, key } = await world.hub.organization()
  return { ...world, answers, anonymous, organizationId, acme: anonymous.with(bearer(key)) }
}

type Watched = Awaited<ReturnType<typeof startWatched>>

/** Through the sign-up with every mistake on the way. Leaves the token in the link, and then in the channel. */
async function signUp(world: Watched) {
  const { acme, anonymous, up } = world
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
      await world.fault(kind, step, { times: null, code: 190 })
      await anonymous.post(path, { ...body, pin: PIN })
      await world.liftFaults()
    }
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
async function useChannel(world: Watched, id: string): Promise<number[]> {
  const { acme, hub, organizationId } = world
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

/** The same while the upstream fails in all its ways, and at last refuses the token. */
async function useInVain(world: Watched, id: string): Promise<void> {
  for (const kind of ['http', 'error', 'throttle', 'reset_after', 'garbled_after', 'hang_after']) {
    await world.fault(kind, '/', { times: null, code: kind === 'error' ? 100 : 80007 })
    await useChannel(world, id)
    await world.liftFaults()
  }
}

/** An operator's own token, in the right place and in wrong ones. */
async function connectAsOperator(world: Watched): Promise<string> {
  const { acme, up } = world
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
  await world.anonymous.get(path, { headers: bearer(OPERATOR_CANARY) })
  assert.equal((await acme.post(`${path}/connection`, body)).status, 200)
  return id
}

function assertNowhere(place: string, text: string, secrets: readonly string[]): void {
  for (const form of secrets.flatMap(listEncodings)) assert.ok(!text.includes(form), `${place} holds ${form}: ${text}`)
}

test('an upstream token is in no log line, no answer and no table but sealed, whatever happens to its channel', {
  rules: ['D6-67'],
}, async (t) => {
  const world = await startWatched(t)
  const { acme, hub, up } = world
  const secrets = [CANARY, OPERATOR_CANARY]
  const stored = async (when: string) => assertNowhere(`the database ${when}`, await dumpDatabase(hub.sql), secrets)

  const { id, link, code, number, finish } = await signUp(world)
  const [waiting] = await hub.sql`select 1 from connect_links where exchanged_token is not null`
  await stored('while a PIN is awaited')
  const connected = await finish()
  const operatorId = await connectAsOperator(world)
  await stored('after connecting')
  const used = [...(await useChannel(world, id)), ...(await useChannel(world, operatorId))]
  await useInVain(world, id)
  await stored('after use')
  const place = { table: 'channels', column: 'access_token', organizationId: world.organizationId }
  const kept = await Promise.all(
    [id, operatorId].map(async (rowId) => {
      return hub.context.sealing.open((await readChannelRow(hub.sql, rowId)).access_token ?? '', { ...place, rowId })
    }),
  )
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: number.wabaId })
  await useChannel(world, id)
  await acme.delete(`/api/v1/channels/${id}?deregister=true`)
  await acme.delete(`/api/v1/channels/${operatorId}?deregister=true`)
  await acme.get('/api/v1/audit-log?limit=100')
  await hub.runJobs()
  await stored('after the deletion')

  assert.ok(waiting, 'the token of a sign-up was never kept, so that its place was never looked at')
  assert.equal(connected.status, 200)
  assert.deepEqual(used, [200, 201, 200, 201, 200, 200, 200, 201, 200, 201, 200, 200])
  assert.deepEqual(kept, secrets)
  for (const line of hub.logs) assertNowhere('a log line', line, [...secrets, code, link, 'hub_cl_'])
  assert.ok(hub.logs.some((line) => line.includes('"level":"debug"') && line.includes('upstream call')))
  for (const { what, answer } of world.answers) {
    const headers = [...answer.headers].map((header) => header.join(': ')).join('\n')
    assertNowhere(what, `${answer.text}\n${headers}`, [...secrets, code])
  }
  const showing = world.answers.filter(({ answer }) => answer.text.includes(link))
  assert.deepEqual(
    showing.map(({ what }) => what),
    [`POST /api/v1/channels/${id}/connect-link`],
  )
})
