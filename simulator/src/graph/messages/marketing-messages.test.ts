import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listStatuses, readWamid, startFixture } from '../../test/harness.ts'

const HOUR_MS = 3_600_000

async function startWithTemplates(t: Parameters<typeof startFixture>[0]): Promise<Fixture> {
  const fixture = await startFixture(t)
  for (const category of ['MARKETING', 'UTILITY']) {
    await fixture.graph('POST', `/${fixture.wabaId}/message_templates`, {
      name: category.toLowerCase(),
      language: 'pt_BR',
      category,
      components: [{ type: 'BODY', text: 'Pão quente às sete' }],
    })
  }
  await fixture.advance(HOUR_MS)
  return fixture
}

function send(fixture: Fixture, body: object = {}, name = 'marketing') {
  return fixture.graph('POST', `/v25.0/${fixture.phoneId}/marketing_messages`, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '5511999990000',
    type: 'template',
    template: { name, language: { code: 'pt_BR' } },
    ...body,
  })
}

test('a marketing template is accepted and reported with the price of marketing_lite', async (t) => {
  const fixture = await startWithTemplates(t)

  const id = readWamid(await send(fixture, { product_policy: 'STRICT', message_activity_sharing: true }))
  await fixture.advance(HOUR_MS)

  const [sent] = listStatuses(fixture.receiver)
  assert.deepEqual([sent?.id, sent?.status, sent?.pricing?.category], [id, 'sent', 'marketing_lite'])
})

test('an account without the Marketing Messages API is 131055', async (t) => {
  const fixture = await startWithTemplates(t)
  await fixture.control('PATCH', `/accounts/${fixture.wabaId}`, { marketing_messages: false })

  const { status, body } = await send(fixture)

  assert.deepEqual([status, body.error.code], [400, 131055])
})

for (const [what, body, name, code] of [
  ['a template that is not of marketing', {}, 'utility', 132018],
  ['a template that does not exist', {}, 'missing', 132001],
  ['another type', { type: 'text', text: { body: 'x' } }, 'marketing', 134100],
  ['no messaging_product', { messaging_product: undefined }, 'marketing', 100],
  ['no phone number', { to: undefined, recipient: 'BR.1' }, 'marketing', 100],
  ['an unknown product policy', { product_policy: 'MAYBE' }, 'marketing', 100],
  ['activity sharing that is no flag', { message_activity_sharing: 'x' }, 'marketing', 100],
  ['a group', { recipient_type: 'group' }, 'marketing', 100],
] as const) {
  test(`a marketing message with ${what} is ${code}`, async (t) => {
    const fixture = await startWithTemplates(t)

    assert.equal((await send(fixture, body, name)).body.error.code, code)
  })
}
