import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { FILES } from '../media/test/files.ts'
import { createTemplate, postForm, somebody, startFacade, TEMPLATE, told } from './test/scene.ts'

const PDF = { bytes: FILES.pdf!.bytes, name: 'a.pdf' }

/** Everything that the facade can do, each by one request. */
async function startOperations(t: TestContext) {
  const scene = await startFacade(t, { env: { UPSTREAM_TIMEOUT_MS: '1000' } })
  const { client, phone, waba, up, channel } = scene
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await scene.liftLimit()
  await createTemplate(scene, 'other')
  const media = `/upstream/${(await postForm(client, `${phone}/media`, [PDF])).body.id}`
  await up.simulator.control('POST', `/contacts/${somebody()}/messages`, {
    ...{ to: channel.number.phoneNumberId, type: 'text' },
  })
  const message_id = (await scene.log())[0]?.upstream_message_id
  let names = 0
  const operations: Record<string, () => Promise<Answer>> = {
    number: () => client.get(phone),
    profile: () => client.get(`${phone}/whatsapp_business_profile`),
    account: () => client.get(waba),
    templates: () => client.get(`${waba}/message_templates`),
    node: () => client.get(media),
    content: () => client.get(`${media}/content`),
    message: () => client.post(`${phone}/messages`, { to: somebody(), text: { body: 'x' } }),
    receipt: () => client.post(`${phone}/messages`, { status: 'read', message_id }),
    upload: () => postForm(client, `${phone}/media`, [PDF]),
    'change of profile': () => client.post(`${phone}/whatsapp_business_profile`, { about: 'x' }),
    'new template': () => client.post(`${waba}/message_templates`, { ...TEMPLATE, name: `t${++names}` }),
    handle: () => postForm(client, `${waba}/header_handle`, [PDF]),
    'deleted template': () => client.delete(`${waba}/message_templates?name=t${names}`),
  }

  async function useAll(): Promise<[string, Answer][]> {
    return Promise.all(Object.entries(operations).map(async ([name, ask]) => [name, await ask()] as [string, Answer]))
  }
  return { ...scene, useAll }
}

const LOST = [502, 'UPSTREAM_UNAVAILABLE']
const UNKNOWN = [409, 'SEND_RESULT_UNKNOWN']

for (const [kind, expected, ofMessage, more] of [
  ['throttle', [429, 'RATE_LIMITED'], [429, 'RATE_LIMITED'], { code: 80007 }],
  ['error', [400, 'UPSTREAM_REJECTED'], [400, 'UPSTREAM_REJECTED'], { code: 100 }],
  ['http', LOST, UNKNOWN, { status: 503 }],
  ['http_after', LOST, UNKNOWN, { status: 500 }],
  ['garbled_after', LOST, UNKNOWN, {}],
  ['reset_before', LOST, UNKNOWN, {}],
  ['reset_after', LOST, UNKNOWN, {}],
  ['hang_before', LOST, UNKNOWN, {}],
  ['hang_after', LOST, UNKNOWN, {}],
] as const) {
  test(`whatever is asked, a fault of the upstream (${kind}) is ${expected[0]}, of a send ${ofMessage[0]}, and nothing breaks`, {
    rules: ['D12-08', 'D12-09', 'D12-10', 'ERR-23', 'FAW-09'],
  }, async (t) => {
    const { useAll, fault, liftFaults, statusOfChannel } = await startOperations(t)

    await fault(kind, '/', { times: null, ...more })
    const faulty = await useAll()
    await liftFaults()
    const well = await useAll()

    for (const [name, answer] of faulty) {
      assert.deepEqual(told(answer), name === 'message' ? ofMessage : expected, name)
      if (answer.status === 429) assert.equal(answer.headers.get('retry-after'), '5', name)
      assert.doesNotMatch(answer.text, /127\.0\.0\.1|upload:|TimeoutError|ECONN|<html|at .*\.ts:/, name)
    }
    for (const [name, answer] of well) assert.ok(answer.status < 400 || name === 'deleted template', answer.text)
    assert.equal(await statusOfChannel(), 'active')
  })
}
