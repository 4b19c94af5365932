import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { assertErrorEnvelope, assertGraphError } from '../../../test/error-envelope.ts'
import { bearer } from '../../../test/hub.ts'
import { CHANNEL_TOKEN_SCOPES } from '../auth/scopes.ts'
import { FILES } from '../media/test/files.ts'
import { ALLOWLIST, type AllowedOperation, type Mount } from './allowlist/allowlist.ts'
import { createChannelClient, createTemplate, type FacadeFixture, postForm, startFacade } from './test/fixture.ts'

const MOUNTS: Mount[] = ['upstream', 'graph']

type Ids = { phone: string; waba: string; media: string; template: string }

/** Placeholders whose values are the same for every channel. */
const OTHER_IDS = { app: '1', code: 'ABCDEFGHIJKLMN', upload: 'a'.repeat(43) }

/** The same refusals, as each mount writes them. */
const MISSING = { upstream: [404, 'NOT_FOUND', undefined], graph: [400, 100, 33] }
const NO_SCOPE = { upstream: [403, 'INSUFFICIENT_SCOPE', undefined], graph: [403, 10, undefined] }

function toRefusal({ status, body }: Answer): unknown[] {
  return [status, body?.error?.code, body?.error?.error_subcode]
}

function assertShape(mount: Mount, answer: Answer): void {
  if (mount === 'graph') assertGraphError(answer)
  else assertErrorEnvelope(answer)
}

/** Calls a row of the allowlist, without what a real call needs besides its path. */
function call({ hub }: FacadeFixture, token: string, mount: Mount, row: AllowedOperation, ids: Ids): Promise<Answer> {
  const values = { ...ids, ...OTHER_IDS }
  const path = row.path.replace(/\{(\w+)\}/g, (_kind, name: keyof typeof values) => values[name])
  const body = row.method === 'POST' ? {} : undefined
  return hub.anonymous.with(bearer(token)).send(row.method, `/${mount}/v25.0/${path}`, { body })
}

async function uploadOf(fixture: FacadeFixture, channel: Parameters<typeof createChannelClient>[1]): Promise<Ids> {
  const { client, phone } = createChannelClient(fixture, channel)
  const { bytes, name } = FILES.png!
  const uploaded = await postForm(client, `${phone}/media`, [{ bytes, name }])
  const { phoneNumberId, wabaId } = channel.number
  const template = await createTemplate({ client, waba: `/upstream/${wabaId}` }, 'order_ready')
  return { phone: phoneNumberId, waba: wabaId, media: uploaded.body.id, template }
}

/** Lists the hub's upstream requests, apart from the own account's list, which shows whose a template is. */
async function listOtherCalls({ upstreamCalls, channel }: FacadeFixture, since: number) {
  const calls = (await upstreamCalls()).slice(since)
  return calls.filter(({ path }) => path !== `/${channel.number.wabaId}/message_templates`)
}

for (const mount of MOUNTS) {
  const rows = ALLOWLIST.filter(({ mounts }) => mounts.includes(mount))

  test(`every row at /${mount} is missing for ids of another channel, of the same or another organization`, {
    rules: ['graph.foreign-ids-are-missing', 'facade.foreign-id-is-404', 'facade.mimics-the-upstream'],
  }, async (t) => {
    const fixture = await startFacade(t)
    const { channel, acme, hub, connect, liftRateLimit } = fixture
    await liftRateLimit()
    const others = [await connect(acme), await connect(await hub.organization())]
    const foreign = await Promise.all(others.map((other) => uploadOf(fixture, other)))
    const before = (await fixture.upstreamCalls()).length

    for (const ids of foreign) {
      for (const row of rows.filter(({ path }) => path.startsWith('{') && !path.startsWith('{app}'))) {
        const answer = await call(fixture, channel.token, mount, row, ids)
        assert.deepEqual(toRefusal(answer), MISSING[mount], `${row.method} ${row.path}`)
        assertShape(mount, answer)
      }
    }
    assert.deepEqual(await listOtherCalls(fixture, before), [])
  })

  test(`every row at /${mount} refuses a token that has every scope but its own`, {
    rules: ['graph.foreign-ids-are-missing', 'facade.needs-the-scope-of-each-route'],
  }, async (t) => {
    const fixture = await startFacade(t)
    const { hub, acme, channel, liftRateLimit } = fixture
    await liftRateLimit()
    const own = await uploadOf(fixture, channel)
    const before = (await fixture.upstreamCalls()).length

    for (const row of rows.filter(({ scope }) => scope !== null)) {
      const others = CHANNEL_TOKEN_SCOPES.filter((held) => ![row.scope].flat().includes(held))
      const { token } = await hub.channelToken(acme.organizationId, channel.id, others)
      const answer = await call(fixture, token, mount, row, own)
      assert.deepEqual(toRefusal(answer), NO_SCOPE[mount], `${row.method} ${row.path}`)
      assertShape(mount, answer)
    }
    assert.deepEqual(await listOtherCalls(fixture, before), [])
  })
}

test('a row of /graph alone is 404 at /upstream, with its own ids and every scope', {
  rules: ['graph.own-calls-are-404-at-upstream'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { channel, liftRateLimit } = fixture
  await liftRateLimit()
  const own = await uploadOf(fixture, channel)
  const before = (await fixture.upstreamCalls()).length

  for (const row of ALLOWLIST.filter(({ mounts }) => !mounts.includes('upstream'))) {
    const answer = await call(fixture, channel.token, 'upstream', row, own)
    assert.deepEqual(toRefusal(answer), MISSING.upstream, `${row.method} ${row.path}`)
  }
  assert.equal((await fixture.upstreamCalls()).length, before)
})

test('a request to /graph and one to /upstream count against the same limit of the channel', {
  rules: ['graph.shares-the-channels-limit', 'limit.80-facade-requests-a-second'],
}, async (t) => {
  const { hub, acme, channel, client } = await startFacade(t)
  const subject = `${acme.organizationId}:${channel.id}`
  await hub.sql`
    insert into rate_limits (bucket, subject, used, window_ends_at)
    values ('facade', ${subject}, 70, hub_now() + interval '1 hour')`

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => client.get(index % 2 ? '/graph/1' : '/upstream/1')),
  )

  assert.equal(answers.filter(({ status }) => status === 429).length, 10)
})
