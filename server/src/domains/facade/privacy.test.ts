import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { bearer } from '../../../test/hub.ts'
import { dumpDatabase } from '../../../test/stored-secrets.ts'
import type { Mount } from './allowlist/allowlist.ts'
import { assertAbsent, CANARY, type CanaryFixture, startWithCanary, upload } from './test/canary.ts'
import { newContact, TEMPLATE } from './test/fixture.ts'

/** Uses each operation of the facade once. */
async function useAll(fixture: CanaryFixture, mount: Mount): Promise<Answer[]> {
  const { client, number } = fixture
  const [phone, waba] = [`/${mount}/${number.phoneNumberId}`, `/${mount}/${number.wabaId}`]
  const uploaded = await upload(fixture, `${phone}/media`)
  const media = `/${mount}/${uploaded.body?.id ?? '1'}`
  const answers = [uploaded]
  for (const name of ['one', 'two', 'three']) {
    answers.push(await client.post(`${waba}/message_templates`, { ...TEMPLATE, name }))
  }
  const paths = [
    phone,
    waba,
    `${phone}/whatsapp_business_profile?fields=about`,
    `${waba}/message_templates?limit=1`,
    `${waba}?fields=pricing_analytics.start(1).end(2).granularity(DAILY)`,
    media,
    `${media}/content`,
  ]
  answers.push(...(await Promise.all(paths.map((path) => client.get(path)))))
  answers.push(
    await client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } }),
    await client.post(`${phone}/messages`, { status: 'read', message_id: 'wamid.x' }),
    await client.post(`${phone}/messaging_business_profile`, { about: 'x' }),
    await client.post(`${phone}/calls`, { messaging_product: 'whatsapp', call_id: 'wacid.x', action: 'reject' }),
    await upload(fixture, `${waba}/header_handle`),
    await client.delete(`${waba}/message_templates?name=one`),
    await client.get(`${phone}?access_token=${encodeURIComponent(CANARY)}`),
    await client.get(phone, { headers: bearer(CANARY) }),
  )
  return answers
}

for (const mount of ['upstream', 'graph'] as const) {
  test(`the upstream's token appears in no response, no log line and, unsealed, in no table for any operation of /${mount}`, {
    rules: ['facade.upstream-token-is-never-shown', 'facade.upstream-failure-is-502', 'graph.tokens-leak-nowhere'],
  }, async (t) => {
    const fixture = await startWithCanary(t)
    const { hub, up, secrets } = fixture

    const used = await useAll(fixture, mount)
    for (const kind of ['http', 'error', 'throttle', 'reset_after', 'garbled_after']) {
      await fixture.fault(kind, '/', { times: null, code: kind === 'error' ? 100 : 80007 })
      await useAll(fixture, mount)
      await fixture.liftFaults()
    }
    await up.simulator.control('POST', '/tokens/revoke', { access_token: CANARY })
    const refused = await useAll(fixture, mount)

    const good = used.filter(({ status }) => status === 200).length
    assert.ok(good >= 13, `only ${good} of ${used.length} calls succeeded`)
    assert.ok(refused.every(({ status }) => status >= 400))
    const paging = used.find(({ body }) => body?.paging?.next)
    assert.ok(paging, 'no page had a next link to check')
    for (const { what, answer } of fixture.answers) {
      const headers = [...answer.headers].map((header) => header.join(': ')).join('\n')
      assertAbsent(secrets, what, `${answer.text}\n${headers}`)
    }
    for (const line of hub.logs) assertAbsent(secrets, 'a log line', line)
    assert.ok(hub.logs.some((line) => line.includes('"level":"debug"') && line.includes('facade.templates')))
    assertAbsent(secrets, 'the database', await dumpDatabase(hub.sql))
  })
}
