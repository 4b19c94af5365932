import { WhatsAppAPI } from 'whatsapp-api-js'
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  Audio,
  Body,
  Button,
  Contacts,
  Document,
  Image,
  Interactive,
  Language,
  ListSection,
  Location,
  Name,
  Phone,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  Video,
} from 'whatsapp-api-js/messages'
import { call, callRefused, findDelivery, newContact, readFile, toHub, world } from './recorder.js'

const { phoneNumberId, contact, template, received, webhook } = world
// The address of the Graph API is a constant of this client; its option for another `fetch` is the way around it.
const ponyfill = { fetch: (url, init) => fetch(toHub(url), init) }
const connect = (token) => new WhatsAppAPI({ token, appSecret: webhook.secret, ponyfill })
const client = connect(world.token)
const isSent = (answer) => answer.messages[0].id.startsWith('wamid.')
const isDone = (answer) => answer.success === true
const send = (message, to = contact) => client.sendMessage(phoneNumberId, to, message)

function upload(kind) {
  const { bytes, type, path } = readFile(kind)
  const form = new FormData()
  form.set('file', new Blob([bytes], { type }), path)
  return client.uploadMedia(phoneNumberId, form)
}

await call('send text', () => send(new Text('Olá', true)), isSent)
const { id } =
  (await call(
    'upload media',
    () => upload('png'),
    (answer) => answer.id,
  )) ?? {}
const idOf = {}
for (const kind of ['pdf', 'mp4', 'ogg', 'webp']) idOf[kind] = (await upload(kind)).id
await call('send image by id', () => send(new Image(id, true, 'Pão')), isSent)
await call('send image by link', () => send(new Image('https://example.com/menu.png')), isSent)
await call('send document', () => send(new Document(idOf.pdf, true, undefined, 'menu.pdf')), isSent)
await call('send video', () => send(new Video(idOf.mp4, true)), isSent)
await call('send audio', () => send(new Audio(idOf.ogg, true)), isSent)
await call('send sticker', () => send(new Sticker(idOf.webp, true)), isSent)
await call('send location', () => send(new Location(-46.63, -23.55, 'Padaria', 'Praça da Sé')), isSent)
const card = [new Name('Ana Souza', 'Ana'), new Phone('+5511988880001')]
await call('send contacts', () => send(new Contacts(card)), isSent)
await call('send reaction', () => send(new Reaction(received.messageId, '👍')), isSent)
const buttons = new ActionButtons(new Button('yes', 'Sim'))
await call('send buttons', () => send(new Interactive(buttons, new Body('Ok?'))), isSent)
const list = new ActionList('Ver', new ListSection('Pães', new Row('1', 'Francês')))
await call('send list', () => send(new Interactive(list, new Body('Escolha'))), isSent)
const button = new ActionCTA('Abrir', 'https://example.com')
await call('send link button', () => send(new Interactive(button, new Body('Veja'))), isSent)
const sendTemplate = (name) => send(new Template(name, new Language(template.language)), newContact())
await call('send template', () => sendTemplate(template.name), isSent)
await call('reply', () => client.sendMessage(phoneNumberId, contact, new Text('Sim'), received.messageId), isSent)
await call('mark as read', () => client.markAsRead(phoneNumberId, received.messageId), isDone)
await call('show typing', () => client.markAsRead(phoneNumberId, received.messageId, 'text'), isDone)

const download = async (mediaId) => client.fetchMedia((await client.retrieveMedia(mediaId, phoneNumberId)).url)
const isPng = async (response) => readFile('png').bytes.equals(Buffer.from(await response.arrayBuffer()))
const isFile = async (response) => response.ok && (await response.arrayBuffer()).byteLength > 0
const isImage = ({ mime_type }) => mime_type === 'image/png'
await call('get media', () => client.retrieveMedia(id, phoneNumberId), isImage)
await call('download media', () => download(id), isPng)
await call('download received media by id', () => download(received.mediaId), isFile)
await call('download received media by its url', () => client.fetchMedia(received.mediaUrl), isFile)
await call('delete media', () => client.deleteMedia(id, phoneNumberId), isDone)

const created = await call(
  'create QR code',
  () => client.createQR(phoneNumberId, 'Oi'),
  ({ code }) => code,
)
const { code } = created ?? {}
const hasCode = ({ data }) => data.some((one) => one.code === code)
await call('get QR code', () => client.retrieveQR(phoneNumberId, code), hasCode)
await call('list QR codes', () => client.retrieveQR(phoneNumberId), hasCode)
await call(
  'change QR code',
  () => client.updateQR(phoneNumberId, code, 'Bom dia'),
  (answer) => answer.code === code,
)
await call('delete QR code', () => client.deleteQR(phoneNumberId, code), isDone)
const isBlocked = ({ block_users }) => block_users.added_users.length === 1
await call('block a contact', () => client.blockUser(phoneNumberId, contact), isBlocked)
const isUnblocked = ({ block_users }) => block_users.removed_users.length === 1
await call('unblock a contact', () => client.unblockUser(phoneNumberId, contact), isUnblocked)

// A refusal is a result of this client, and no exception.
await callRefused(
  {
    send: (number) => connect(number.token).sendMessage(number.phoneNumberId, number.to ?? contact, new Text('Olá')),
    sendTemplate,
  },
  (answer) => answer.error?.code,
)

async function read(kind, event) {
  const { rawBody, signature } = findDelivery(kind)
  let found
  client.on[event] = (args) => {
    found = args
  }
  await client.post(JSON.parse(rawBody), rawBody.toString(), signature)
  return found
}
const { rawBody, signature } = findDelivery('text')
const verify = (bytes) => client.verifyRequestSignature(bytes, signature)
const isGenuine = async (genuine) => genuine && !(await verify(`${rawBody} `))
await call('verify a webhook', () => verify(rawBody.toString()), isGenuine)
await call(
  'read a webhook with a message',
  () => read('text', 'message'),
  ({ message }) => message.id === received.messageId,
)
await call(
  'read a webhook with a status',
  () => read('status', 'status'),
  (status) => status.id.startsWith('wamid.'),
)
