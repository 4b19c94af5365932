import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { call, callRefused, findDelivery, newContact, ownTemplate, readFile, world } from './recorder.js'

const { graph, phoneNumberId, wabaId, contact, template, received, webhook } = world
const connect = (accessToken) => new WhatsAppClient({ baseUrl: graph, accessToken })
const client = connect(world.token)
const { messages, media, templates, phoneNumbers } = client
const base = { phoneNumberId, to: contact }
const isSent = (answer) => answer.messages[0].id.startsWith('wamid.')
const isDone = (answer) => answer.success === true

function upload(kind) {
  const { bytes, type, path } = readFile(kind)
  return media.upload({ phoneNumberId, type, file: new Blob([bytes], { type }), fileName: path })
}

await call('send text', () => messages.sendText({ ...base, body: 'Olá', previewUrl: true }), isSent)
const { id } = (await call('upload media', () => upload('png'))) ?? {}
const idOf = {}
for (const kind of ['pdf', 'mp4', 'ogg', 'webp']) idOf[kind] = (await upload(kind)).id
const link = 'https://example.com/menu.png'
await call('send image by id', () => messages.sendImage({ ...base, image: { id, caption: 'Pão' } }), isSent)
await call('send image by link', () => messages.sendImage({ ...base, image: { link } }), isSent)
const menu = { id: idOf.pdf, filename: 'menu.pdf' }
await call('send document', () => messages.sendDocument({ ...base, document: menu }), isSent)
await call('send video', () => messages.sendVideo({ ...base, video: { id: idOf.mp4 } }), isSent)
await call('send audio', () => messages.sendAudio({ ...base, audio: { id: idOf.ogg } }), isSent)
await call('send sticker', () => messages.sendSticker({ ...base, sticker: { id: idOf.webp } }), isSent)
const place = { latitude: -23.55, longitude: -46.63, name: 'Padaria', address: 'Praça da Sé' }
await call('send location', () => messages.sendLocation({ ...base, location: place }), isSent)
const card = { name: { formattedName: 'Ana Souza', firstName: 'Ana' }, phones: [{ phone: '+5511988880001' }] }
await call('send contacts', () => messages.sendContacts({ ...base, contacts: [card] }), isSent)
const reaction = { messageId: received.messageId, emoji: '👍' }
await call('send reaction', () => messages.sendReaction({ ...base, reaction }), isSent)
const buttons = [{ id: 'yes', title: 'Sim' }]
await call('send buttons', () => messages.sendInteractiveButtons({ ...base, bodyText: 'Ok?', buttons }), isSent)
const sections = [{ title: 'Pães', rows: [{ id: '1', title: 'Francês' }] }]
const list = { bodyText: 'Escolha', buttonText: 'Ver', sections }
await call('send list', () => messages.sendInteractiveList({ ...base, ...list }), isSent)
const parameters = { displayText: 'Abrir', url: 'https://example.com' }
await call('send link button', () => messages.sendInteractiveCtaUrl({ ...base, bodyText: 'Veja', parameters }), isSent)
const sendTemplate = (name) =>
  messages.sendTemplate({ phoneNumberId, to: newContact(), template: { name, language: { code: template.language } } })
await call('send template', () => sendTemplate(template.name), isSent)
const receipt = { phoneNumberId, messageId: received.messageId }
await call('mark as read', () => messages.markRead(receipt), isDone)
await call('show typing', () => messages.markRead({ ...receipt, typingIndicator: { type: 'text' } }), isDone)

const isPng = (bytes) => readFile('png').bytes.equals(Buffer.from(bytes))
await call(
  'get media',
  () => media.get({ mediaId: id, phoneNumberId }),
  ({ mimeType }) => mimeType === 'image/png',
)
await call('download media', () => media.download({ mediaId: id, auth: 'always' }), isPng)
const isFile = async (response) => response.ok && (await response.arrayBuffer()).byteLength > 0
await call('download received media by id', () => media.download({ mediaId: received.mediaId, auth: 'always' }))
await call('download received media by its url', () => client.fetch(received.mediaUrl), isFile)
await call('delete media', () => media.delete({ mediaId: id }), isDone)

const businessAccountId = wabaId
const components = [{ type: 'BODY', text: 'Seu pedido está pronto.' }]
const wanted = { businessAccountId, name: ownTemplate, language: 'pt_BR', category: 'UTILITY', components }
const created = await call(
  'create template',
  () => templates.create(wanted),
  (answer) => answer.id,
)
const isOwn = ({ name }) => name === ownTemplate
await call(
  'list templates',
  () => templates.list({ businessAccountId, limit: 100 }),
  ({ data }) => data.some(isOwn),
)
await call('get template', () => templates.get({ businessAccountId, templateId: created.id }), isOwn)
await call('delete template', () => templates.delete({ businessAccountId, name: ownTemplate }), isDone)
const about = 'Pão quente'
await call('update profile', () => phoneNumbers.businessProfile.update({ phoneNumberId, about }), isDone)
const isAbout = ({ data }) => data[0].about === about
await call('get profile', () => phoneNumbers.businessProfile.get({ phoneNumberId, fields: 'about' }), isAbout)
await call('get settings', () => phoneNumbers.settings.get({ phoneNumberId }))

await callRefused(
  {
    send: ({ token, phoneNumberId, to = contact }) =>
      connect(token).messages.sendText({ phoneNumberId, to, body: 'Olá' }),
    sendTemplate,
    listTemplates: ({ token, wabaId }) => connect(token).templates.list({ businessAccountId: wabaId }),
  },
  (err) => (err instanceof GraphApiError ? err.code : undefined),
)

const { rawBody, signature } = findDelivery('text')
const verify = (appSecret) => verifySignature({ appSecret, rawBody, signatureHeader: signature })
await call(
  'verify a webhook',
  () => verify(webhook.secret),
  (isGenuine) => isGenuine && !verify('other'),
)
const readDelivery = (kind) => normalizeWebhook(JSON.parse(findDelivery(kind).rawBody.toString()))
const isReceived = (events) => events.messages[0].id === received.messageId
await call('read a webhook with a message', () => readDelivery('text'), isReceived)
const isStatus = (events) => events.statuses[0].id.startsWith('wamid.')
await call('read a webhook with a status', () => readDelivery('status'), isStatus)
