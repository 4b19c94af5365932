import {
  markMessageRead,
  sendButtonsMessage,
  sendCTAURLMessage,
  sendImageMessage,
  sendListMessage,
  sendTemplateMessage,
  sendTextMessage,
  uploadMedia,
} from '@whatsapp-cloudapi/client'
import { call, callRefused, newContact, readFile, world } from './recorder.js'

const { graph: baseUrl, contact, template, received } = world
const from = { accessToken: world.token, from: world.phoneNumberId, baseUrl }
const base = { ...from, to: contact }
const isSent = (answer) => answer.messages[0].id.startsWith('wamid.')

await call('send text', () => sendTextMessage({ ...base, text: 'Olá', previewUrl: true }), isSent)
const { bytes, type } = readFile('png')
const file = new File([bytes], 'a.png', { type })
const { id } = (await call('upload media', () => uploadMedia({ ...from, file }))) ?? {}
await call('send image by id', () => sendImageMessage({ ...base, mediaId: id, caption: 'Pão' }), isSent)
const buttons = [{ id: 'yes', title: 'Sim' }]
await call('send buttons', () => sendButtonsMessage({ ...base, bodyText: 'Ok?', buttons }), isSent)
const sections = [{ title: 'Pães', rows: [{ id: '1', title: 'Francês' }] }]
await call('send list', () => sendListMessage({ ...base, bodyText: 'Escolha', buttonText: 'Ver', sections }), isSent)
const button = { bodyText: 'Veja', buttonText: 'Abrir', url: 'https://example.com' }
await call('send link button', () => sendCTAURLMessage({ ...base, ...button }), isSent)
const sendTemplate = (templateName) =>
  sendTemplateMessage({ ...from, to: newContact(), templateName, languageCode: template.language })
await call('send template', () => sendTemplate(template.name), isSent)
await call(
  'mark as read',
  () => markMessageRead({ ...from, messageId: received.messageId }),
  ({ success }) => success,
)

// The client throws an Error whose message contains the body of the answer.
function readCode(err) {
  const [, body] = /^WhatsApp API Error: (.*)$/s.exec(err.message) ?? []
  return body && JSON.parse(body).error.code
}
const send = ({ token, phoneNumberId, to = contact }) =>
  sendTextMessage({ accessToken: token, from: phoneNumberId, to, text: 'Olá', baseUrl })
await callRefused({ send, sendTemplate }, readCode)
