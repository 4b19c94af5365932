import { readFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { WABAClient } from 'whatsapp-business'
import { call, callRefused, newContact, readFile, world } from './recorder.js'

const { graph, wabaId, contact, template, received } = world

// The address of the Graph API is a constant of this client. The HTTP client that it makes of it is a public member.
function connect({ token, phoneNumberId }) {
  const client = new WABAClient({ apiToken: token, phoneId: phoneNumberId, accountId: wabaId })
  client.restClient.fetch.defaults.baseURL = `${graph}/v17.0`
  return client
}

const client = connect(world)
const isSent = (answer) => answer.messages[0].id.startsWith('wamid.')
const isDone = (answer) => answer.success === true
const send = (type, content, to = contact) => client.sendMessage({ to, type, [type]: content })
const upload = (kind) => client.uploadMedia({ file: readFile(kind).path, type: readFile(kind).type })

await call('send text', () => send('text', { body: 'Olá' }), isSent)
const { id } = (await call('upload media', () => upload('png'))) ?? {}
const idOf = {}
for (const kind of ['pdf', 'mp4', 'ogg', 'webp']) idOf[kind] = (await upload(kind)).id
await call('send image by id', () => send('image', { id }), isSent)
await call('send image by link', () => send('image', { link: 'https://example.com/menu.png' }), isSent)
await call('send document', () => send('document', { id: idOf.pdf, filename: 'menu.pdf' }), isSent)
await call('send video', () => send('video', { id: idOf.mp4 }), isSent)
await call('send audio', () => send('audio', { id: idOf.ogg }), isSent)
await call('send sticker', () => send('sticker', { id: idOf.webp }), isSent)
await call('send location', () => send('location', { latitude: -23.55, longitude: -46.63, name: 'Padaria' }), isSent)
const card = { name: { formatted_name: 'Ana Souza', first_name: 'Ana' }, phones: [{ phone: '+5511988880001' }] }
await call('send contacts', () => send('contacts', [card]), isSent)
await call('send reaction', () => send('reaction', { message_id: received.messageId, emoji: '👍' }), isSent)
const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Sim' } }]
await call(
  'send buttons',
  () => send('interactive', { type: 'button', body: { text: 'Ok?' }, action: { buttons } }),
  isSent,
)
const sendTemplate = (name) => send('template', { name, language: { code: template.language } }, newContact())
await call('send template', () => sendTemplate(template.name), isSent)
await call('mark as read', () => client.markMessageAsRead(received.messageId), isDone)

const target = 'downloaded'
async function download(url) {
  await finished(await client.downloadMedia(url, target))
  return readFileSync(target)
}
await call(
  'get media',
  () => client.getMedia(id),
  ({ mime_type }) => mime_type === 'image/png',
)
const isPng = (bytes) => readFile('png').bytes.equals(bytes)
await call('download media', async () => download((await client.getMedia(id)).url), isPng)
await call(
  'download received media by its url',
  () => download(received.mediaUrl),
  (bytes) => bytes.length > 0,
)
await call('delete media', () => client.deleteMedia(id), isDone)
await call('update profile', () => client.updateBusinessProfile({ about: 'Pão quente' }), isDone)
await call(
  'get profile',
  () => client.getBusinessProfile(),
  ({ data }) => data[0].about === 'Pão quente',
)
const isNumber = (number) => number.id === world.phoneNumberId
await call(
  'list numbers',
  () => client.getBusinessPhoneNumbers(),
  ({ data }) => data.length === 1 && isNumber(data[0]),
)
await call('get number', () => client.getSingleBusinessPhoneNumber(world.phoneNumberId), isNumber)

await callRefused(
  {
    send: ({ to = contact, ...number }) => connect(number).sendMessage({ to, type: 'text', text: { body: 'Olá' } }),
    sendTemplate,
  },
  // The client rejects with the object `error` of the answer.
  (err) => err.code,
)
