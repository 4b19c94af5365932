import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { FILES } from '../media/test/files.ts'
import { createTemplate, newContact, postForm, startFacade, TEMPLATE, toStatusAndCode } from './test/fixture.ts'

const PDF = { bytes: FILES.pdf!.bytes, name: 'a.pdf' }

/** The requests after the hang end within this time on a slow machine too. */
const SHORT_TIMEOUT = { UPSTREAM_TIMEOUT_MS: '3000' }

/** One request for each operation of the facade. */
async function startOperations(t: TestContext, env: Record<string, string>) {
  const fixture = await startFacade(t, { env })
  const { client, phone, waba, up, channel } = fixture
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await fixture.liftRateLimit()
  await createTemplate(fixture, 'other')
  const media = `/upstream/${(await postForm(client, `${phone}/media`, [PDF])).body.id}`
  await up.simulator.control('POST', `/contacts/${newContact()}/messages`, {
    to: channel.number.phoneNumberId,
    type: 'text',
  })
  const message_id = (await fixture.log())[0]?.upstream_message_id
  let names = 0
  const operations: Record<string, () => Promise<Answer>> = {
    number: () => client.get(phone),
    profile: () => client.get(`${phone}/whatsapp_business_profile`),
    account: () => client.get(waba),
    templates: () => client.get(`${waba}/message_templates`),
    node: () => client.get(media),
    content: () => client.get(`${media}/content`),
    message: () => client.post(`${phone}/messages`, { to: newContact(), text: { body: 'x' } }),
    receipt: () => client.post(`${phone}/messages`, { status: 'read', message_id }),
    upload: () => postForm(client, `${phone}/media`, [PDF]),
    'change of profile': () => client.post(`${phone}/whatsapp_business_profile`, { about: 'x' }),
    'new template': () => client.post(`${waba}/message_templates`, { ...TEMPLATE, name: `t${++names}` }),
    handle: () => postForm(client, `${waba}/header_handle`, [PDF]),
    'deleted template': () => client.delete(`${waba}/message_templates?name=t${names}`),
  }

  async function useAll(): Promise<[string, Answer][]> {
    return Promise.all(Object.entries(operations).map(async ([name, send]) => [name, await send()] as [string, Answer]))
  }
  return { ...fixture, useAll }
}

const UNAVAILABLE = [502, 'UPSTREAM_UNAVAILABLE']
const UNKNOWN = [409, 'SEND_RESULT_UNKNOWN']

for (const [kind, expected, ofMessage, more] of [
  ['throttle', [429, 'RATE_LIMITED'], [429, 'RATE_LIMITED'], { code: 80007 }],
  ['error', [400, 'UPSTREAM_REJECTED'], [400, 'UPSTREAM_REJECTED'], { code: 100 }],
  ['error_after', UNAVAILABLE, UNKNOWN, { code: 131000 }],
  ['http', UNAVAILABLE, UNKNOWN, { status: 503 }],
  ['http_after', UNAVAILABLE, UNKNOWN, { status: 500 }],
  ['garbled_after', UNAVAILABLE, UNKNOWN, {}],
  ['reset_before', UNAVAILABLE, UNKNOWN, {}],
  ['reset_after', UNAVAILABLE, UNKNOWN, {}],
  ['hang_before', UNAVAILABLE, UNKNOWN, {}],
  ['hang_after', UNAVAILABLE, UNKNOWN, {}],
] as const) {
  test(`an upstream fault (${kind}) is ${expected[0]}, on a send ${ofMessage[0]}, and leaves the channel connected`, {
    rules: ['facade.throttled-request-is-429', 'facade.unknown-send-is-409', 'send.status-500-with-131000-is-unknown'],
  }, async (t) => {
    const { useAll, fault, liftFaults, readChannelStatus } = await startOperations(
      t,
      kind.startsWith('hang') ? SHORT_TIMEOUT : {},
    )

    await fault(kind, '/', { times: null, ...more })
    const faulty = await useAll()
    await liftFaults()
    const recovered = await useAll()

    for (const [name, answer] of faulty) {
      assert.deepEqual(toStatusAndCode(answer), name === 'message' ? ofMessage : expected, name)
      if (answer.status === 429) assert.equal(answer.headers.get('retry-after'), '5', name)
      assert.doesNotMatch(answer.text, /127\.0\.0\.1|upload:|TimeoutError|ECONN|<html|at .*\.ts:/, name)
    }
    for (const [name, answer] of recovered) assert.ok(answer.status < 400 || name === 'deleted template', answer.text)
    assert.equal(await readChannelStatus(), 'active')
  })
}
