import { Client, MessageType } from '@great-detail/whatsapp'
import { call, callRefused, control, findDelivery, newContact, ownTemplate, readFile, world } from './recorder.js'

const { graph, phoneNumberId: phoneNumberID, wabaId, contact, template, received, webhook } = world
const authorize = (token) => ({ headers: { Authorization: `Bearer ${token}` } })
const connect = (token) => new Client({ baseUrl: graph, request: authorize(token) })
const client = connect(world.token)
const request = authorize(world.token)
const isSent = (answer) => answer.messages[0].id.startsWith('wamid.')
const isDone = (answer) => answer.success === true

const send = (type, content, to = contact) =>
  client.message.createMessage({ phoneNumberID, to, type, [type]: content }).json()

function upload(kind) {
  const { bytes, type, path } = readFile(kind)
  return client.media
    .upload({ phoneNumberID, file: new Blob([bytes], { type }), filename: path, mimeType: type })
    .json()
}

await call('send text', () => send(MessageType.Text, { body: 'Olá' }), isSent)
const { id } = (await call('upload media', () => upload('png'))) ?? {}
const idOf = {}
for (const kind of ['pdf', 'mp4', 'ogg', 'webp']) idOf[kind] = (await upload(kind)).id
await call('send image by id', () => send(MessageType.Image, { id, caption: 'Pão' }), isSent)
await call('send image by link', () => send(MessageType.Image, { link: 'https://example.com/menu.png' }), isSent)
await call('send document', () => send(MessageType.Document, { id: idOf.pdf, filename: 'menu.pdf' }), isSent)
await call('send video', () => send(MessageType.Video, { id: idOf.mp4 }), isSent)
await call('send audio', () => send(MessageType.Audio, { id: idOf.ogg }), isSent)
await call('send sticker', () => send(MessageType.Sticker, { id: idOf.webp }), isSent)
const place = { latitude: -23.55, longitude: -46.63, name: 'Padaria', address: 'Praça da Sé' }
await call('send location', () => send(MessageType.Location, place), isSent)
const card = { name: { formatted_name: 'Ana Souza', first_name: 'Ana' }, phones: [{ phone: '+5511988880001' }] }
await call('send contacts', () => send(MessageType.Contacts, [card]), isSent)
const reaction = { message_id: received.messageId, emoji: '👍' }
await call('send reaction', () => send(MessageType.Reaction, reaction), isSent)
const buttons = [{ type: 'reply', reply: { id: 'yes', title: 'Sim' } }]
const question = { type: 'button', body: { text: 'Ok?' }, action: { buttons } }
await call('send buttons', () => send(MessageType.Interactive, question), isSent)
const sections = [{ title: 'Pães', rows: [{ id: '1', title: 'Francês' }] }]
const list = { type: 'list', body: { text: 'Escolha' }, action: { button: 'Ver', sections } }
await call('send list', () => send(MessageType.Interactive, list), isSent)
const sendTemplate = (name) =>
  send(MessageType.Template, { name, language: { code: template.language }, components: [] }, newContact())
await call('send template', () => sendTemplate(template.name), isSent)
const receipt = { phoneNumberID, status: 'read', message_id: received.messageId }
await call('mark as read', () => client.message.createStatus(receipt).json(), isDone)
const typing = { ...receipt, typing_indicator: { type: 'text' } }
await call('show typing', () => client.message.createStatus(typing).json(), isDone)

const getMedia = (mediaID) => client.media.getURL({ mediaID, phoneNumberID }).json()
const download = (mediaURL) => client.media.download({ mediaURL, request }).arrayBuffer()
const isPng = (bytes) => readFile('png').bytes.equals(Buffer.from(bytes))
const isFile = (bytes) => bytes.byteLength > 0
await call(
  'get media',
  () => getMedia(id),
  ({ mime_type }) => mime_type === 'image/png',
)
await call('download media', async () => download((await getMedia(id)).url), isPng)
await call('download received media by id', async () => download((await getMedia(received.mediaId)).url), isFile)
await call('download received media by its url', () => download(received.mediaUrl), isFile)
await call('delete media', () => client.media.delete({ mediaID: id, phoneNumberID }).json(), isDone)

const components = [{ type: 'BODY', text: 'Seu pedido está pronto.' }]
const wanted = { name: ownTemplate, language: 'pt_BR', category: 'UTILITY', components }
const created = await call(
  'create template',
  () => client.template.create(wabaId, wanted).json(),
  (answer) => answer.id,
)
const isOwn = ({ name }) => name === ownTemplate
const filter = { limit: 100, status: ['APPROVED', 'PENDING'], fields: ['id', 'name', 'status'] }
await call(
  'list templates',
  () => client.template.list(wabaId, filter).json(),
  ({ data }) => data.some(isOwn),
)
await call('get template', () => client.template.get(created.id, { fields: ['id', 'name'] }).json(), isOwn)
// A template can be edited once it has been reviewed.
if (created) await control('POST', `/templates/${created.id}`, { status: 'APPROVED' })
const edited = { category: 'UTILITY', components: [{ type: 'BODY', text: 'Seu pedido chegou.' }] }
await call('edit template', () => client.template.update(created.id, edited).json(), isDone)
await call('delete template', () => client.template.delete(wabaId, { name: ownTemplate }).json(), isDone)
const about = 'Pão quente'
const { businessProfile, phoneNumbers, subscribedApps, whatsappBusinessAccount, conversationalAutomation } = client
await call('update profile', () => businessProfile.updateBusinessProfile({ phoneNumberID, about }).json(), isDone)
const isAbout = ({ data }) => data[0].about === about
const fields = ['about']
await call('get profile', () => businessProfile.getBusinessProfile({ phoneNumberID, fields }).json(), isAbout)
const isNumber = (number) => number.id === phoneNumberID
await call(
  'get number',
  () => phoneNumbers.getPhoneNumber({ phoneNumberID, fields: ['id', 'status'] }).json(),
  isNumber,
)
const listNumbers = () => phoneNumbers.listPhoneNumbers({ businessAccountID: wabaId }).json()
await call('list numbers', listNumbers, ({ data }) => data.length === 1 && isNumber(data[0]))
await call(
  'get account',
  () => whatsappBusinessAccount.get(wabaId).json(),
  (account) => account.id === wabaId,
)
const listApps = () => subscribedApps.listSubscriptions({ businessAccountID: wabaId }).json()
await call('list subscribed apps', listApps, ({ data }) => data.length === 1)
await call('subscribe app', () => subscribedApps.createSubscription({ businessAccountID: wabaId }).json(), isDone)
const subscription = { override_callback_uri: webhook.callbackUrl, verify_token: 'chosen' }
const subscribe = () => subscribedApps.createSubscription({ businessAccountID: wabaId, ...subscription }).json()
await call('set the callback of the webhook', subscribe, isDone)
const automation = { enable_welcome_message: true, prompts: ['Ver o cardápio'] }
const automate = () => conversationalAutomation.setConversationalAutomation({ phoneNumberID, ...automation }).json()
await call('set conversational automation', automate, isDone)

// The client has no error type of its own: it throws that of the HTTP library, whose users read the body.
async function readCode(err) {
  if (err?.name !== 'HTTPError') return undefined
  const { error } = err.data ?? (await err.response.json())
  return error.code
}

await callRefused(
  {
    send: ({ token, phoneNumberId, to = contact }) =>
      connect(token)
        .message.createMessage({ phoneNumberID: phoneNumberId, to, type: MessageType.Text, text: { body: 'Olá' } })
        .json(),
    sendTemplate,
    listTemplates: (number) => connect(number.token).template.list(number.wabaId, {}).json(),
  },
  readCode,
)

function read(kind) {
  const { rawBody, signature } = findDelivery(kind)
  const headers = { 'x-hub-signature-256': signature }
  return client.webhook.eventNotification({ method: 'POST', query: {}, headers, body: rawBody.toString() })
}
const isGenuine = async (event) =>
  (await event.checkSignature(webhook.secret)) && !(await event.checkSignature('other'))
await call('verify a webhook', () => read('text'), isGenuine)
const readValue = ({ eventNotification }) => eventNotification.entry[0].changes[0].value
const isReceived = (event) => readValue(event).messages[0].id === received.messageId
await call('read a webhook with a message', () => read('text'), isReceived)
const isStatus = (event) => readValue(event).statuses[0].id.startsWith('wamid.')
await call('read a webhook with a status', () => read('status'), isStatus)
