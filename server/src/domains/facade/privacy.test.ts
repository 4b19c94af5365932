import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { bearer } from '../../../test/hub.ts'
import { everythingStored } from '../../../test/stored.ts'
import { somebody, TEMPLATE } from './test/scene.ts'
import { assertNowhere, CANARY, startWatched, upload, type Watched } from './test/watched.ts'

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
  const paths = [
    ...[phone, waba, `${phone}/whatsapp_business_profile?fields=about`, `${waba}/message_templates?limit=1`],
    ...[`${waba}?fields=pricing_analytics.start(1).end(2).granularity(DAILY)`, media, `${media}/content`],
  ]
  answers.push(...(await Promise.all(paths.map((path) => client.get(path)))))
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

test("the upstream's token is in no answer, no log line and no table but sealed, whatever is done through the facade", {
  rules: ['D12-12', 'FAC-05', 'FAC-06', 'FAW-09'],
}, async (t) => {
  const world = await startWatched(t)
  const { hub, up, secrets } = world

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
    assertNowhere(secrets, what, `${answer.text}\n${headers}`)
  }
  for (const line of hub.logs) assertNowhere(secrets, 'a log line', line)
  assert.ok(hub.logs.some((line) => line.includes('"level":"debug"') && line.includes('facade.templates')))
  assertNowhere(secrets, 'the database', await everythingStored(hub.sql))
})
