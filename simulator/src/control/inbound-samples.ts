import type { MediaKind } from '../graph/media/media-types.ts'
import type { JsonObject } from '../json.ts'

/** The content of a message when the control request has only its type. */
export const SAMPLE_CONTENT: Readonly<Record<string, JsonObject>> = {
  text: { text: { body: 'Olá! Vocês entregam no centro? 🥖' } },
  image: { image: { caption: 'O cardápio de ontem' } },
  video: { video: { caption: 'A fila' } },
  audio: { audio: { voice: true } },
  document: { document: { filename: 'pedido.pdf' } },
  sticker: { sticker: { animated: false } },
  location: { location: { latitude: -23.5505, longitude: -46.6333, name: 'Praça da Sé', address: 'São Paulo' } },
  contacts: {
    contacts: [
      {
        name: { formatted_name: 'Ana Souza', first_name: 'Ana', last_name: 'Souza' },
        phones: [{ phone: '+55 11 98888-0001', type: 'CELL', wa_id: '5511988880001' }],
      },
    ],
  },
  reaction: { reaction: { message_id: '', emoji: '👍' } },
  button: { button: { payload: 'yes', text: 'Sim' } },
  interactive: { interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Sim' } } },
  order: {
    order: {
      catalog_id: '194836987003835',
      text: '',
      product_items: [{ product_retailer_id: 'pao-01', quantity: 2, item_price: 7.5, currency: 'BRL' }],
    },
  },
  system: { system: { body: 'A pessoa mudou de número', wa_id: '5511988880002', type: 'user_changed_number' } },
  edit: { edit: { original_message_id: '', message: { type: 'text', text: { body: 'Corrigido' } } } },
  revoke: { revoke: { original_message_id: '' } },
  unsupported: { unsupported: { type: 'poll_creation' } },
  request_welcome: {},
}

interface SampleFile {
  mimeType: string
  bytes: Buffer
}

/** Files with the magic bytes of their types. */
export const SAMPLE_FILES: Readonly<Record<MediaKind, SampleFile>> = {
  image: {
    mimeType: 'image/png',
    bytes: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  },
  video: { mimeType: 'video/mp4', bytes: Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom', 'latin1') },
  audio: { mimeType: 'audio/ogg; codecs=opus', bytes: Buffer.from('OggS\0\u0002\0\0\0\0\0\0\0\0OpusHead', 'latin1') },
  document: { mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n') },
  sticker: {
    mimeType: 'image/webp',
    bytes: Buffer.from('RIFF\u001a\0\0\0WEBPVP8L\r\0\0\0/\0\0\0\u0010\u0007\u0010', 'latin1'),
  },
}
