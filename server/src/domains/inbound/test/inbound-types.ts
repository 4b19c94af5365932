/** Messages of every documented type, and of some undocumented ones, by description. */
export const INBOUND_TYPES: Record<string, { type?: unknown } & Record<string, unknown>> = {
  'a text': { type: 'text', text: { body: 'Vocês entregam no centro? 🥖' } },
  'an image': { type: 'image', image: buildMedia('image/jpeg', { caption: 'O cardápio' }) },
  'a video': { type: 'video', video: buildMedia('video/mp4', { caption: 'A fila' }) },
  'an audio': { type: 'audio', audio: buildMedia('audio/ogg; codecs=opus', { voice: true }) },
  'a document': { type: 'document', document: buildMedia('application/pdf', { filename: 'pedido.pdf' }) },
  'a sticker': { type: 'sticker', sticker: buildMedia('image/webp', { animated: true }) },
  'a location': { type: 'location', location: { latitude: -23.5505, longitude: -46.6333, name: 'Sé', address: 'SP' } },
  contacts: {
    type: 'contacts',
    contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+55 11 98888-0001', wa_id: '5511988880001' }] }],
  },
  'a reaction': { type: 'reaction', reaction: { message_id: 'wamid.before', emoji: '👍' } },
  'a reaction taken back': { type: 'reaction', reaction: { message_id: 'wamid.before' } },
  'a button': { type: 'button', button: { payload: 'yes', text: 'Sim' } },
  'a button reply': interactive('button_reply', { id: 'yes', title: 'Sim' }),
  'a list reply': interactive('list_reply', { id: 'pao', title: 'Pão', description: 'francês' }),
  'a flow reply': interactive('nfm_reply', { name: 'flow', body: 'Sent', response_json: '{"flow_token":"1","n":1}' }),
  'a call permission reply': interactive('call_permission_reply', {
    response: 'accept',
    is_permanent: false,
    expiration_timestamp: '1790009000',
    response_source: 'user_action',
  }),
  'an order': {
    type: 'order',
    order: {
      catalog_id: '194836987003835',
      text: '',
      product_items: [{ product_retailer_id: 'pao-01', quantity: 2, item_price: 7.5, currency: 'BRL' }],
    },
  },
  'a changed number': {
    type: 'system',
    system: { body: 'Ana mudou de número', wa_id: '5511988880002', type: 'user_changed_number' },
  },
  'a changed user id': {
    type: 'system',
    system: { body: 'x', user_id: 'BR.2', previous_user_id: 'BR.1', type: 'user_changed_user_id' },
  },
  'an edit': {
    type: 'edit',
    edit: { original_message_id: 'wamid.before', message: { type: 'text', text: { body: 'Corrigido' } } },
  },
  'a revocation': { type: 'revoke', revoke: { original_message_id: 'wamid.before' } },
  'an unsupported message': {
    type: 'unsupported',
    unsupported: { type: 'poll_creation' },
    errors: [{ code: 131051, title: 'Unsupported', message: 'm', error_data: { details: 'not supported' } }],
  },
  'an unknown message': { type: 'unknown', errors: [{ code: 131051, title: 'Unknown', message: 'Unknown' }] },
  'a request for a welcome': { type: 'request_welcome' },
  'a type of the future': { type: 'hologram', hologram: { id: 9_007_199_254_740_991, layers: [{ depth: 0.5 }] } },
  'a type of the future that is no object': { type: 'pulse', pulse: 72 },
  'a message without a type': { text: { body: 'lost' } },
}

function buildMedia(mimeType: string, more: object) {
  return {
    id: '1013859600285441',
    mime_type: mimeType,
    sha256: 'bWVkaWE=',
    url: 'https://lookaside.example/1',
    ...more,
  }
}

function interactive(type: string, reply: object) {
  return { type: 'interactive', interactive: { type, [type]: reply } }
}
