import { createRequire } from 'node:module'
import { createBot } from 'whatsapp-cloud-api'
import { call, callRefused, newContact, toHub, world } from './recorder.js'

const { contact, template } = world
// The address of the Graph API is a constant of this client. It requires the shared axios, which its users can intercept.
const axios = createRequire(import.meta.url)('axios')
axios.interceptors.request.use((config) => ({ ...config, url: toHub(config.url) }))
const connect = ({ token, phoneNumberId }) => createBot(phoneNumberId, token)
const bot = connect(world)
const isSent = ({ messageId }) => messageId.startsWith('wamid.')

await call('send text', () => bot.sendText(contact, 'Olá'), isSent)
await call('send image by link', () => bot.sendImage(contact, 'https://example.com/menu.png'), isSent)
await call('send document', () => bot.sendDocument(contact, 'https://example.com/menu.pdf'), isSent)
await call('send audio', () => bot.sendAudio(contact, 'https://example.com/a.ogg'), isSent)
await call('send video', () => bot.sendVideo(contact, 'https://example.com/a.mp4'), isSent)
await call('send sticker', () => bot.sendSticker(contact, 'https://example.com/a.webp'), isSent)
await call('send location', () => bot.sendLocation(contact, -23.55, -46.63, { name: 'Padaria' }), isSent)
const card = { name: { formatted_name: 'Ana Souza', first_name: 'Ana' }, phones: [{ phone: '+5511988880001' }] }
await call('send contacts', () => bot.sendContacts(contact, [card]), isSent)
await call('send buttons', () => bot.sendReplyButtons(contact, 'Ok?', { yes: 'Sim' }), isSent)
const sections = { Pães: [{ id: '1', title: 'Francês' }] }
await call('send list', () => bot.sendList(contact, 'Ver', 'Escolha', sections), isSent)
const sendTemplate = (name) => bot.sendTemplate(newContact(), name, template.language)
await call('send template', () => sendTemplate(template.name), isSent)

await callRefused(
  { send: ({ to = contact, ...number }) => connect(number).sendText(to, 'Olá'), sendTemplate },
  // The client throws the body of the answer.
  (err) => err.error?.code,
)
