import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type HubWithUpstream, startHubWithUpstream } from '../../server/test/hub-with-upstream.ts'
import { Hub, HubApiError, HubConnectionError } from '../src/sdk.ts'

const PNG = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

let contacts = 0

/** Another person each time: the upstream allows each one message every six seconds. */
function text(body = 'Olá') {
  contacts += 1
  return { to: String(5511900000000 + contacts), type: 'text', text: { body } } as const
}

/** A client of a real hub with every scope, and a connected channel. */
async function startClient(t: TestContext) {
  const env = { BILLING: 'sandbox', WEBHOOK_ALLOWED_DESTINATIONS: '127.0.0.1:9' }
  const fixture = await startHubWithUpstream(t, { env })
  const { key, organizationId } = await fixture.hub.organization()
  const hub = new Hub({ url: fixture.hub.url, credential: key })
  const channel = await connect(fixture, hub)
  return { ...fixture, client: hub, organizationId, ...channel }
}

async function connect({ up }: HubWithUpstream, client: Hub) {
  const number = await up.number()
  const { channel } = await client.channels.create({ name: 'Padaria', external_id: 'shop-7' })
  await client.channels.connect(channel.id, {
    access_token: number.accessToken,
    waba_id: number.wabaId,
    phone_number_id: number.phoneNumberId,
    pin: '123456',
  })
  return { channelId: channel.id, token: channel.token, number }
}

test('the SDK works against a hub', async (t) => {
  const fixture = await startClient(t)
  const { client, channelId, token, number } = fixture
  const ofChannel = new Hub({ url: fixture.hub.url, credential: token })

  await t.test('channels are read, changed, diagnosed and deleted', async () => {
    const other = await client.channels.create({ name: 'Other' })
    const { channel } = await client.channels.update(other.channel.id, { name: 'Renamed' })
    const link = await client.channels.createConnectLink(channel.id)
    const { diagnostics } = await client.channels.diagnose(channelId)
    const deleted = await client.channels.delete(channel.id, { deregister: true })
    const again = await client.channels.delete(channel.id)

    assert.equal(channel.name, 'Renamed')
    assert.match(link.connect_url, /\/connect\//)
    assert.equal(diagnostics.checks.find(({ id }) => id === 'token')?.status, 'ok')
    assert.deepEqual([deleted.changed, deleted.deregistro, again.changed], [true, 'sem-numero', false])
    const names = (await client.channels.list().toArray()).map(({ name, status }) => [name, status])
    assert.deepEqual(names, [['Padaria', 'active']])
  })

  await t.test('messages are sent once, and listed page by page', async () => {
    const messages = [text('one'), text('two'), text('three')]
    const ids: string[] = []
    for (const message of messages) ids.push((await ofChannel.messages.send(channelId, message)).message.id)
    const key = { idempotencyKey: 'order-4711' }
    const first = await client.messages.send(channelId, messages[0]!, key)
    const repeated = await client.messages.send(channelId, messages[0]!, key)

    assert.deepEqual(first, repeated)
    const listed: string[] = []
    for await (const entry of client.messages.list(channelId, { limit: 1, direction: 'outbound' }))
      listed.push(entry.id)
    assert.deepEqual(listed, [...ids, first.message.id].reverse())
  })

  await t.test('a page continues where another client ended', async () => {
    const page = await client.messages.list(channelId, { limit: 2 }).firstPage()
    assert.ok(page.nextCursor)

    const rest = await client.messages.list(channelId, { limit: 2, cursor: page.nextCursor }).toArray()

    const all = await client.messages.list(channelId).toArray()
    assert.deepEqual([...page.items, ...rest], all)
    assert.deepEqual(await client.messages.list(channelId).firstPage(), { items: all, nextCursor: null })
  })

  await t.test(
    'the key of a send that was refused is in the error',
    { rules: ['sdk.failed-send-has-its-key'] },
    async () => {
      const refusal = await client.messages
        .send(channelId, { to: '5511987654321', type: 'text', text: { body: '' } })
        .catch((err: unknown) => err)

      assert.ok(refusal instanceof HubApiError && refusal.is('INVALID_REQUEST'))
      assert.equal(refusal.details?.issues?.[0]?.path, '/text/body')
      assert.match(refusal.requestId ?? '', /^[0-9a-f-]{36}$/)
      assert.match(refusal.idempotencyKey ?? '', /^[0-9a-f]{32}$/)
    },
  )

  await t.test(
    'a send with an unknown result calls the upstream once',
    { rules: ['sdk.unknown-send-is-never-retried'] },
    async () => {
      const sentBefore = (await fixture.requests('/messages')).length
      await fixture.fault('reset_after', '/messages')

      const unknown = await client.messages.send(channelId, text()).catch((err: unknown) => err)

      assert.ok(unknown instanceof HubApiError && unknown.is('SEND_RESULT_UNKNOWN'))
      assert.equal((await fixture.requests('/messages')).length, sentBefore + 1)
      const [newest] = await client.messages.list(channelId, { limit: 1 }).toArray()
      assert.deepEqual([newest?.id, newest?.status], [unknown.details.message_id, 'unknown'])
    },
  )

  await t.test('files are uploaded from a Blob and from a stream, and downloaded as a stream', async () => {
    const blob = new Blob([PNG], { type: 'image/png' })
    async function* chunks() {
      yield PNG.subarray(0, 20)
      yield PNG.subarray(20)
    }
    const uploads = [
      await client.media.upload(channelId, { file: blob }),
      await client.media.upload(channelId, { file: new File([PNG], 'a "b".png', { type: 'image/png' }) }),
      await client.media.upload(channelId, { file: { stream: blob.stream(), name: 'ç".png', type: 'image/png' } }),
      await client.media.upload(channelId, { file: { stream: chunks(), type: 'image/png' } }),
    ]

    const sha256 = createHash('sha256').update(PNG).digest('hex')
    for (const { media } of uploads) {
      assert.deepEqual([media.mime_type, media.size_bytes, media.sha256], ['image/png', PNG.length, sha256])
    }
    const response = await ofChannel.media.download(uploads[2]!.media.id)
    assert.equal(response.headers.get('content-type'), 'image/png')
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), PNG)
    const part = await ofChannel.media.download(uploads[0]!.media.id, { headers: { range: 'bytes=0-3' } })
    assert.deepEqual([part.status, await part.text()], [206, Buffer.from(PNG.subarray(0, 4)).toString()])
  })

  await t.test('templates are created and listed, and the profile is changed by the facade', async () => {
    const created = await ofChannel.templates.create(channelId, {
      name: 'order_ready',
      language: 'pt_BR',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your order is ready.' }],
    })
    await ofChannel.upstream.updateProfile(number.phoneNumberId, { messaging_product: 'whatsapp', about: 'Pão quente' })
    const profile = await ofChannel.upstream.readProfile(number.phoneNumberId, { fields: 'about' })

    const templates = await ofChannel.templates.list(channelId, { limit: 1 }).toArray()
    assert.deepEqual(
      templates.map(({ id }) => id),
      [created.template.id],
    )
    assert.equal(profile.data[0]?.about, 'Pão quente')
    const deleted = await ofChannel.upstream.deleteTemplates(number.wabaId, { name: 'order_ready' })
    assert.equal(deleted.success, true)
  })

  await t.test('webhooks are created, changed, tested, replayed and deleted', async () => {
    const { webhook, secret } = await client.webhooks.create({ name: 'Mine', url: 'http://127.0.0.1:9/hook' })
    const rotated = await client.webhooks.rotateSecret(webhook.id)
    const tested = await client.webhooks.test(webhook.id)
    const { delivery, attempts } = await client.webhooks.getDelivery(webhook.id, tested.delivery_id)
    const paused = await client.webhooks.update(webhook.id, { status: 'paused', event_types: ['message.received'] })
    const replay = await client.webhooks.replayDelivery(webhook.id, tested.delivery_id).catch((err: unknown) => err)
    await client.webhooks.update(webhook.id, { status: 'active' })
    const recovered = await client.webhooks.recoverDeliveries(webhook.id, { since: new Date().toISOString() })

    assert.match(secret, /^whsec_/)
    assert.notEqual(rotated.secret, secret)
    assert.deepEqual([delivery.event, delivery.status, attempts], ['webhook.test', 'pending', []])
    assert.deepEqual([paused.webhook.status, paused.webhook.events], ['paused', ['message.received']])
    assert.ok(replay instanceof HubApiError && replay.is('NOT_FOUND'))
    assert.equal(recovered.queued, 0)
    assert.deepEqual(
      (await client.webhooks.listDeliveries(webhook.id).toArray()).map(({ id }) => id),
      [tested.delivery_id],
    )
    assert.equal((await client.webhooks.list().toArray()).length, 1)
    assert.deepEqual(await client.webhooks.delete(webhook.id), { deleted: true })
  })

  await t.test('keys are created, listed and revoked, and a revoked one is refused', async () => {
    const { api_key, secret } = await client.apiKeys.create({ name: 'Reader', scopes: ['channels:read'] })
    const reader = new Hub({ url: fixture.hub.url, credential: secret })
    assert.equal((await reader.channels.list().toArray()).length, 1)
    const forbidden = await reader.channels.create({ name: 'x' }).catch((err: unknown) => err)
    await client.apiKeys.revoke(api_key.id)

    const revoked = await reader.channels
      .list()
      .toArray()
      .catch((err: unknown) => err)

    assert.ok(forbidden instanceof HubApiError && forbidden.is('INSUFFICIENT_SCOPE'))
    assert.equal(forbidden.details?.scope, 'channels:write')
    assert.ok(revoked instanceof HubApiError && revoked.is('UNAUTHORIZED'))
    const entries = await client.auditLog.list({ target_id: api_key.id, limit: 1 }).toArray()
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['api_key.revoked', 'api_key.created'],
    )
  })

  await t.test('plans are bought and used', async () => {
    const { subscription, quotas } = await client.billing.getSubscription()
    const checkout = await client.billing.openCheckout({ plan: 'starter' })
    const { usage } = await client.billing.getUsage()

    assert.deepEqual([subscription.plan, quotas.channels.used], ['free', 1])
    assert.match(checkout.checkout_url, /^http/)
    assert.ok(usage.messages_sent >= 4)
  })

  await t.test('a token is regenerated with fewer scopes, and revoked', async () => {
    const { token: next } = await client.channels.regenerateToken(channelId, { scopes: ['channels:read'] })
    const reader = new Hub({ url: fixture.hub.url, credential: next })
    const { channel } = await reader.channels.get(channelId)
    await client.channels.revokeToken(channelId)

    assert.equal(channel.external_id, 'shop-7')
    const refused = await reader.channels.get(channelId).catch((err: unknown) => err)
    assert.ok(refused instanceof HubApiError && refused.is('UNAUTHORIZED'))
  })

  await t.test('a hub that has stopped cannot be reached', async () => {
    await fixture.hub.stop()

    const failed = await client.channels.get(channelId, { retries: 0 }).catch((err: unknown) => err)

    assert.ok(failed instanceof HubConnectionError)
  })
})
