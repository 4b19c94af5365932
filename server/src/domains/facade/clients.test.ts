import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, MessageType } from '@great-detail/whatsapp'
import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { bearer } from '../../../test/hub.ts'
import { startRelay } from '../../../test/relay.ts'
import { FILES } from '../media/test/files.ts'
import { createTemplate, newContact, startFacade } from './test/fixture.ts'

/** A hub that answers at its public URL, with three approved templates and a received message. */
async function startPublic(t: TestContext) {
  const hub = { url: '' }
  const relay = await startRelay(t, () => hub.url)
  const fixture = await startFacade(t, { env: { PUBLIC_URL: relay.url } })
  hub.url = fixture.hub.url
  const { phoneNumberId, wabaId } = fixture.channel.number
  for (const name of ['one', 'two', 'three']) await createTemplate(fixture, name)
  await fixture.up.simulator.control('POST', '/clock', { advance_seconds: 3600 })
  await fixture.up.simulator.control('POST', `/contacts/${newContact()}/messages`, { to: phoneNumberId, type: 'text' })
  const [received] = await fixture.log()
  const receivedId = received?.upstream_message_id ?? ''
  return { ...fixture, baseUrl: `${relay.url}/upstream`, phoneNumberId, wabaId, receivedId }
}

test('@kapso/whatsapp-cloud-api works with only its base URL and token changed', {
  rules: ['facade.mimics-the-upstream'],
}, async (t) => {
  const { baseUrl, channel, phoneNumberId, wabaId, receivedId, log } = await startPublic(t)
  const client = new WhatsAppClient({ baseUrl, accessToken: channel.token })
  const { bytes } = FILES.png!

  const text = await client.messages.sendText({ phoneNumberId, to: newContact(), body: 'Olá' })
  const template = await client.messages.sendTemplate({
    phoneNumberId,
    to: newContact(),
    template: { name: 'one', language: { code: 'pt_BR' } },
  })
  const read = await client.messages.markRead({ phoneNumberId, messageId: receivedId })
  const file = new Blob([new Uint8Array(bytes)], { type: 'image/png' })
  const { id } = await client.media.upload({ phoneNumberId, type: 'image/png', file, fileName: 'a.png' })
  const node = await client.media.get({ mediaId: id, phoneNumberId })
  const image = await client.messages.sendImage({ phoneNumberId, to: newContact(), image: { id, caption: 'Pão' } })
  const content = await client.media.download({ mediaId: id, auth: 'always' })
  const first = await client.templates.list({ businessAccountId: wabaId, limit: 2 })
  const after = first.paging.cursors.after ?? ''
  const second = await client.templates.list({ businessAccountId: wabaId, limit: 2, after })
  const changed = await client.phoneNumbers.businessProfile.update({ phoneNumberId, about: 'Pão quente' })
  const profile = await client.phoneNumbers.businessProfile.get({ phoneNumberId, fields: 'about' })
  const deleted = await client.templates.delete({ businessAccountId: wabaId, name: 'three' })

  const sent = [text, template, image].map(({ messages }) => messages[0]?.id ?? '')
  const entries = await log()
  for (const wamid of sent) assert.ok(entries.some(({ upstream_message_id }) => upstream_message_id === wamid))
  assert.equal(read.success, true)
  assert.equal(node.mimeType, 'image/png')
  assert.ok(Buffer.from(content as ArrayBuffer).equals(bytes))
  assert.deepEqual(
    [...first.data, ...second.data].map(({ name }) => name),
    ['three', 'two', 'one'],
  )
  assert.deepEqual([changed.success, deleted.success], [true, true])
  assert.equal(profile.data[0]?.about, 'Pão quente')
})

test("@kapso/whatsapp-cloud-api finds the upstream's error fields where it expects them", async (t) => {
  const { baseUrl, channel, phoneNumberId } = await startPublic(t)
  const client = new WhatsAppClient({ baseUrl, accessToken: channel.token })

  const refused = await client.messages.sendText({ phoneNumberId, to: 'abc', body: 'x' }).catch((err) => err)
  const wrong = new WhatsAppClient({ baseUrl, accessToken: `${channel.token}x` })
  const unauthorized = await wrong.messages.sendText({ phoneNumberId, to: newContact(), body: 'x' }).catch((err) => err)

  assert.ok(refused instanceof GraphApiError)
  assert.deepEqual([refused.httpStatus, refused.type], [400, 'OAuthException'])
  assert.match(refused.details ?? '', /malformed/)
  assert.match(refused.fbtraceId ?? '', /^A/)
  assert.ok(unauthorized instanceof GraphApiError)
  assert.deepEqual([unauthorized.httpStatus, unauthorized.category], [401, 'authorization'])
})

test('@great-detail/whatsapp works with only its base URL and token changed', {
  rules: ['facade.mimics-the-upstream'],
}, async (t) => {
  const { baseUrl, channel, phoneNumberId: phoneNumberID, wabaId, receivedId, log } = await startPublic(t)
  const headers = { Authorization: `Bearer ${channel.token}` }
  const sdk = new Client({ baseUrl, request: { headers } })
  const { bytes } = FILES.pdf!

  const text = await sdk.message
    .createMessage({ phoneNumberID, to: newContact(), type: MessageType.Text, text: { body: 'Olá' } })
    .json()
  const template = await sdk.message
    .createMessage({
      phoneNumberID,
      to: newContact(),
      type: MessageType.Template as const,
      template: { name: 'one', language: { code: 'pt_BR' }, components: [] },
    })
    .json()
  const read = await sdk.message
    .createStatus({ phoneNumberID, status: 'read', message_id: receivedId, typing_indicator: { type: 'text' } })
    .json<{ success: boolean }>()
  const file = new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })
  const uploaded = await sdk.media
    .upload({ phoneNumberID, file, filename: 'a.pdf', mimeType: 'application/pdf' })
    .json()
  const node = await sdk.media.getURL({ mediaID: uploaded.id, phoneNumberID }).json()
  const content = await sdk.media.download({ mediaURL: node.url, request: { headers } }).arrayBuffer()
  const first = await sdk.template
    .list(wabaId, { limit: 2, status: ['APPROVED', 'PENDING'], fields: ['name', 'status'] })
    .json()
  // This client has no method for the next page, so its users follow the link.
  const next = (first as { paging?: { next?: string } }).paging?.next ?? ''
  const second = (await (await fetch(next, { headers: bearer(channel.token) })).json()) as { data: { name: string }[] }
  const changed = await sdk.businessProfile
    .updateBusinessProfile({ phoneNumberID, about: 'Pão quente' })
    .json<{ success: boolean }>()
  const profile = await sdk.businessProfile.getBusinessProfile({ phoneNumberID, fields: ['about'] }).json()
  const number = await sdk.phoneNumbers.getPhoneNumber({ phoneNumberID, fields: ['id', 'status'] }).json()

  const sent = [text, template].map(({ messages }) => messages[0]?.id ?? '')
  const entries = await log()
  for (const wamid of sent) assert.ok(entries.some(({ upstream_message_id }) => upstream_message_id === wamid))
  assert.equal(read.success, true)
  assert.equal(node.mime_type, 'application/pdf')
  assert.ok(Buffer.from(content).equals(bytes))
  assert.deepEqual(
    [...first.data, ...second.data].map(({ name }) => name),
    ['three', 'two', 'one'],
  )
  assert.equal(changed.success, true)
  assert.equal(profile.data[0]?.about, 'Pão quente')
  assert.equal(number.id, phoneNumberID)
})
