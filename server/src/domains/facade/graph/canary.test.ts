import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { openRawConnection, sendRaw } from '../../../../test/raw-http.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { dumpDatabase } from '../../../../test/stored-secrets.ts'
import { startTracing } from '../../../app/tracing.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'
import { createLogger } from '../../../kernel/logger.ts'
import { assertAbsent } from '../test/canary.ts'
import { newContact, startFacade } from '../test/fixture.ts'

/** The log does not redact a text of this form, so that a leak would be found. */
const CANARY = 'canary-of-graph/7e1f+2b=c'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('a token in the header, the query or a form is in no log line, span, table, answer or upstream request', {
  rules: ['graph.tokens-leak-nowhere'],
}, async (t) => {
  const { hub, acme, channel, requests } = await startFacade(t, { isOwn: true })
  const collector = await startReceiver(t)
  const tracing = await startTracing({ endpoint: collector.url, serviceName: 'hub', logger: createLogger('silent') })
  const path = `/graph/v25.0/${channel.number.phoneNumberId}`
  const subject = `${acme.organizationId}:${channel.id}`
  const secrets = [channel.token, CANARY, newToken('channel_token')]
  const statuses = new Set<number>()
  const answers: Answer[] = []

  /** Sends the token in each place, for paths that succeed and paths that do not. */
  async function sendEverywhere(secret: string): Promise<void> {
    const value = encodeURIComponent(secret)
    const fields = new URLSearchParams({ to: newContact(), text: JSON.stringify({ body: 'x' }), access_token: secret })
    const paths = [path, '/graph/1', '/graph/%zz', '/graph', '/graph/me/accounts', `${path}/messages`]
    const names = ['access_token', 'access%5Ftoken', 'ACCESS_TOKEN', 'access_token[]', 'input_token', 'x;access_token']
    for (const at of paths) {
      answers.push(await hub.anonymous.get(at, { headers: bearer(secret) }))
      for (const name of names) answers.push(await hub.anonymous.get(`${at}?a=b&${name}=${value}&fields=id`))
    }
    for (const raw of [
      fields.toString(),
      `${fields}&pad=${'x'.repeat(70_000)}`,
      `access_token=${value}&access_token=${value}`,
    ]) {
      answers.push(await hub.anonymous.send('POST', `${path}/messages`, { raw, headers: FORM }))
    }
    // Refused before there is a request, and ended by the client before there is a response.
    const line = `GET ${path}?access_token=${value} HTTP/1.1\r\nHost: hub\r\n`
    const { text, headers } = await sendRaw(hub.url, `${line}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`)
    assertAbsent(secrets, 'an answer', `${text}\n${[...headers].join('\n')}`)
    const aborted = await openRawConnection(hub.url)
    aborted.write(`${line.replace('GET', 'POST')}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`)
    aborted.hangUp()
    answers.push(await hub.anonymous.get(`/graph/debug_token?input_token=${value}&access_token=${value}`))
    answers.push(await hub.anonymous.get(`${path}/whatsapp_business_profile?access_token=${value}&fields=about`))
  }

  async function setUsed(used: number): Promise<void> {
    await hub.sql`
      insert into rate_limits (bucket, subject, used, window_ends_at)
      values ('facade', ${subject}, ${used}, hub_now() + interval '1 day')
      on conflict (bucket, subject) do update set used = excluded.used, window_ends_at = excluded.window_ends_at`
  }

  await setUsed(-1_000_000)
  for (const secret of secrets) await sendEverywhere(secret)
  await setUsed(1000)
  await sendEverywhere(channel.token)
  await setUsed(-1_000_000)
  await hub.sql`alter table channels rename column waba_id to waba_gone`
  await sendEverywhere(channel.token)
  await hub.sql`alter table channels rename column waba_gone to waba_id`
  await hub.context.requestLog.flush()
  await tracing[Symbol.asyncDispose]()

  for (const { status, text, headers } of answers) {
    statuses.add(status)
    assertAbsent(secrets, 'an answer', `${text}\n${[...headers].join('\n')}`)
  }
  assert.deepEqual([...statuses].sort(), [200, 400, 401, 429, 500])
  for (const line of hub.logs) assertAbsent(secrets, 'a log line', line)
  const spans = collector.received.map(({ body }) => body.toString()).join('\n')
  assert.match(spans, /\/graph\/\*/)
  assertAbsent(secrets, 'a span', spans)
  assertAbsent(secrets, 'the database', await dumpDatabase(hub.sql))
  const calls = JSON.stringify(await requests())
  assert.match(calls, /whatsapp_business_profile/)
  assertAbsent(secrets, 'an upstream request', calls)
})
