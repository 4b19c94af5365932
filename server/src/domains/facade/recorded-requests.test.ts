import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { startRelay } from '../../../test/relay.ts'
import { CHANNEL_TOKEN_SCOPES } from '../auth/scopes.ts'
import { buildForm, MULTIPART } from '../media/test/uploads.ts'
import { createTemplate, newContact, startFacade, TEMPLATE } from './test/fixture.ts'
import {
  CHATWOOT,
  CHATWOOT_SETUP,
  type RecordedAnswer,
  type RecordedRequest,
  TYPEBOT,
} from './test/recorded-requests.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** A channel that has received a text and a file, with a webhook endpoint, and a function that sends a recorded request. */
async function startProduct(t: TestContext) {
  const target = { url: '' }
  const relay = await startRelay(t, () => target.url)
  const receiver = await startReceiver(t)
  const env = { PUBLIC_URL: relay.url, WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination }
  const fixture = await startFacade(t, { env })
  const { hub, up, acme, channel } = fixture
  target.url = hub.url
  const { token } = await hub.channelToken(acme.organizationId, channel.id, CHANNEL_TOKEN_SCOPES)
  const { phoneNumberId: phone, wabaId: waba } = channel.number
  const id = await createTemplate(fixture, TEMPLATE.name)
  await up.simulator.control('POST', `/templates/${id}`, { status: 'APPROVED' })
  const created = await acme.post('/api/v1/webhooks', { name: 'Desk', url: receiver.url, payload_mode: 'upstream_raw' })
  assert.equal(created.status, 201, created.text)
  for (const type of ['text', 'image']) {
    await up.simulator.control('POST', `/contacts/${newContact()}/messages`, { to: phone, type })
  }
  const received = await fixture.log()
  const [wamid, media] = [
    received.find(({ type }) => type === 'text')?.upstream_message_id ?? '',
    String((received.find(({ type }) => type === 'image')?.content as { id?: string } | undefined)?.id),
  ]
  const values = { phone, waba, media, wamid, token, callback: receiver.url }

  /** Sends a request as the product does, and returns what it answered. */
  async function send({ method, path, query = {}, tokenIn, json, form }: RecordedRequest): Promise<RecordedAnswer> {
    const fill = (text: string) =>
      Object.entries({ ...values, contact: newContact() }).reduce(
        (filled, [name, value]) => filled.replaceAll(`{${name}}`, value),
        text,
      )
    const parameters = new URLSearchParams({ ...query, ...(tokenIn === 'query' && { access_token: '{token}' }) })
    const search = parameters.size === 0 ? '' : `?${fill(decodeURIComponent(String(parameters)))}`
    const answer = await hub.anonymous.send(method, fill(`/graph${path}${search}`), {
      headers: {
        ...(tokenIn === 'header' && bearer(token)),
        ...(json !== undefined && JSON_TYPE),
        ...(form && MULTIPART),
      },
      ...(json !== undefined && json !== null && { raw: fill(JSON.stringify(json)) }),
      ...(form && { raw: buildForm(form) }),
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  return { ...fixture, token, send }
}

/** Sends every request in order, and returns the answers. */
async function replay(t: TestContext, requests: readonly RecordedRequest[]) {
  const product = await startProduct(t)
  const answers = new Map<string, RecordedAnswer>()
  for (const request of requests) {
    await t.test(request.what, async () => {
      const answer = await product.send(request)
      answers.set(request.what, answer)
      assert.ok(request.reads(answer), JSON.stringify(answer))
    })
  }
  return { ...product, answers }
}

/** Downloads a file from the address in its node, with the token in the header. */
async function download(answers: Map<string, RecordedAnswer>, token: string, headers: Record<string, string> = {}) {
  const { url } = answers.get('looks up a received file') ?? {}
  const response = await fetch(url, { headers: { ...bearer(token), ...headers } })
  assert.equal(response.status, 200)
  return (await response.arrayBuffer()).byteLength
}

test('every request of an inbox of Chatwoot works', { rules: ['graph.serves-chatwoot'] }, async (t) => {
  const { answers, token } = await replay(t, CHATWOOT)

  assert.ok((await download(answers, token, JSON_TYPE)) > 0)
})

test('every request with which Chatwoot sets up a webhook works', { rules: ['graph.serves-chatwoot'] }, async (t) => {
  await replay(t, CHATWOOT_SETUP)
})

test('a refusal has the text that Chatwoot shows', { rules: ['graph.serves-chatwoot'] }, async (t) => {
  const { hub, token, channel } = await startProduct(t)
  const path = `/graph/v13.0/${channel.number.phoneNumberId}/messages`
  const body = { messaging_product: 'whatsapp', context: null, to: 'abc', text: { body: 'Olá' }, type: 'text' }

  const answer = await hub.anonymous.post(path, body, { headers: bearer(token) })

  assert.equal(answer.status, 400)
  assert.match(answer.body.error.message, /131009/)
})

test('every request of the set-up and of a conversation of Typebot works', {
  rules: ['graph.serves-typebot'],
}, async (t) => {
  const { answers, token } = await replay(t, TYPEBOT)

  const { data: info } = answers.get('checks that the token never expires and has both permissions')
  const { data: apps } = answers.get('reads whether the app is subscribed')
  assert.equal(apps[0].whatsapp_business_api_data.id, info.app_id)
  assert.ok((await download(answers, token, { 'user-agent': 'Mozilla/5.0' })) > 0)
})
