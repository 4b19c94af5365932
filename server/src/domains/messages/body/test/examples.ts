const LINK = 'https://example.com/a.jpg'
const BODY = { text: 'Escolha uma opção' }
const FOOTER = { text: 'Padaria Sol' }
const TITLE = { type: 'text', text: 'Pães' }

function message(type: string, content: unknown): Record<string, unknown> {
  return { to: '5511987654321', type, [type]: content }
}

function interactive(type: string, action: object, others: object = { body: BODY }) {
  return message('interactive', { type, ...others, action })
}

function template(...components: object[]) {
  return message('template', { name: 'order_ready_1', language: { code: 'pt_BR' }, components })
}

const parameter = (type: string, value: unknown, others = {}) => ({ type, [type]: value, ...others })
const body = (...parameters: object[]) => template({ type: 'body', parameters })
const header = (...parameters: object[]) => template({ type: 'header', parameters })
const button = (sub_type: string, ...parameters: object[]) => {
  return template({ type: 'button', sub_type, index: '0', parameters })
}

const reply = (id: string) => ({ type: 'reply', reply: { id, title: `Opção ${id}` } })
const buttons = { buttons: [reply('a'), reply('b'), reply('c')] }
const row = (id: string) => ({ id, title: `Linha ${id}`, description: 'Quentinho' })
const picture = { type: 'image', image: { link: LINK } }
const film = { type: 'video', video: { link: LINK } }
const linked = { name: 'cta_url', parameters: { display_text: 'Abrir', url: LINK } }
const quick = { type: 'quick_reply', quick_reply: { id: 'q', title: 'Quero' } }
const cardTo = (action: object) => (card_index: number) => {
  return { card_index, type: 'cta_url', header: picture, body: { text: 'Pão' }, action }
}
const productCard = (card_index: number) => {
  return { card_index, type: 'product', action: { catalog_id: '1', product_retailer_id: `p${card_index}` } }
}
const FLOW = { flow_message_version: '3', flow_id: '1', flow_cta: 'Agendar' }

const contact = {
  name: {
    formatted_name: 'Dra. Ana Maria Lima Jr.',
    first_name: 'Ana',
    last_name: 'Lima',
    middle_name: 'Maria',
    prefix: 'Dra.',
    suffix: 'Jr.',
  },
  phones: [{ phone: '+55 11 98765-4321', type: 'CELL', wa_id: '5511987654321' }, { phone: '+55 11 3333-4444' }],
  emails: [{ email: 'ana@example.com', type: 'WORK' }],
  addresses: [
    {
      street: 'Rua A, 1',
      city: 'São Paulo',
      state: 'SP',
      zip: '01000-000',
      country: 'Brasil',
      country_code: 'br',
      type: 'HOME',
    },
  ],
  org: { company: 'Padaria Sol', department: 'Vendas', title: 'Gerente' },
  urls: [{ url: 'www.example.com', type: 'WORK' }],
  birthday: '1990-02-28',
}

/** One example of each documented form; its name starts with the message's type. */
export const EXAMPLES = {
  text: message('text', { body: 'Olá', preview_url: true }),
  'text, bare': message('text', { body: 'Olá' }),
  image: message('image', { id: '1037543291543636', caption: 'Pão' }),
  'image, linked': message('image', { link: LINK }),
  audio: message('audio', { id: '1037543291543636', voice: true }),
  'audio, linked': message('audio', { link: LINK }),
  video: message('video', { id: '1037543291543636', caption: 'Forno' }),
  'video, linked': message('video', { link: LINK }),
  document: message('document', { id: '1037543291543636', caption: 'Nota', filename: 'nota.pdf' }),
  'document, linked': message('document', { link: LINK }),
  sticker: message('sticker', { id: '1037543291543636' }),
  'sticker, linked': message('sticker', { link: LINK }),
  location: message('location', { latitude: -23.55, longitude: -46.63, name: 'Loja', address: 'Rua A, 1' }),
  'location as text': message('location', { latitude: '-23.55', longitude: '+46' }),
  contacts: message('contacts', [contact]),
  'contacts, bare': message('contacts', [{ name: { formatted_name: 'Ana' } }]),
  reaction: message('reaction', { message_id: 'wamid.HBgLMTY1MA==', emoji: '👩‍🍳' }),
  'reaction, taken back': message('reaction', { message_id: 'wamid.HBgLMTY1MA==', emoji: '' }),

  button: interactive('button', buttons, { header: TITLE, body: BODY, footer: FOOTER }),
  'button, one': interactive('button', { buttons: [reply('a')] }),
  'button under an image': interactive('button', buttons, { header: picture, body: BODY }),
  'button under a video': interactive('button', buttons, { header: film, body: BODY }),
  'button under a document': interactive('button', buttons, {
    header: { type: 'document', document: { id: '1', filename: 'a.pdf' } },
    body: BODY,
  }),
  list: interactive(
    'list',
    {
      button: 'Ver',
      sections: [
        { title: 'Pães', rows: [row('1'), row('2')] },
        { title: 'Bolos', rows: [{ id: '3', title: 'Bolo' }] },
      ],
    },
    { header: TITLE, body: BODY, footer: FOOTER },
  ),
  'list of one section': interactive('list', { button: 'Ver', sections: [{ rows: [row('1')] }] }),
  cta_url: interactive('cta_url', linked, { header: picture, body: BODY, footer: FOOTER }),
  location_request: interactive('location_request_message', { name: 'send_location' }),
  flow: interactive(
    'flow',
    {
      name: 'flow',
      parameters: {
        ...FLOW,
        mode: 'draft',
        flow_token: 't',
        flow_action: 'navigate',
        flow_action_payload: { screen: 'FIRST', data: { day: 1 } },
      },
    },
    { header: TITLE, body: BODY, footer: FOOTER },
  ),
  'flow by name': interactive('flow', {
    name: 'flow',
    parameters: { flow_message_version: '3', flow_name: 'agenda', flow_cta: 'Agendar', flow_action: 'data_exchange' },
  }),
  product: interactive('product', { catalog_id: '1', product_retailer_id: 'p' }, { body: BODY, footer: FOOTER }),
  'product, bare': interactive('product', { catalog_id: '1', product_retailer_id: 'p' }, {}),
  product_list: interactive(
    'product_list',
    {
      catalog_id: '1',
      sections: [
        { title: 'Pães', product_items: [{ product_retailer_id: 'a' }, { product_retailer_id: 'b' }] },
        { title: 'Bolos', product_items: [{ product_retailer_id: 'c' }] },
      ],
    },
    { header: TITLE, body: BODY, footer: FOOTER },
  ),
  'product_list of one section': interactive(
    'product_list',
    { catalog_id: '1', sections: [{ product_items: [{ product_retailer_id: 'a' }] }] },
    { header: TITLE, body: BODY },
  ),
  catalog_message: interactive('catalog_message', {
    name: 'catalog_message',
    parameters: { thumbnail_product_retailer_id: 'p' },
  }),
  'catalog_message, bare': interactive('catalog_message', { name: 'catalog_message' }),
  carousel: interactive('carousel', { cards: [0, 1].map(cardTo(linked)) }),
  'carousel of replies': interactive('carousel', { cards: [0, 1, 2].map(cardTo({ buttons: [quick, quick] })) }),
  'carousel of products': interactive('carousel', { cards: [0, 1].map(productCard) }),
  call_permission: interactive('call_permission_request', { name: 'call_permission_request' }),
  'call_permission, bare': interactive('call_permission_request', { name: 'call_permission_request' }, {}),
  voice_call: interactive('voice_call', {
    name: 'voice_call',
    parameters: { display_text: 'Ligar', ttl_minutes: 10_080, payload: 'x' },
  }),
  'voice_call, bare': interactive('voice_call', { name: 'voice_call' }),
  address_message: interactive('address_message', {
    name: 'address_message',
    parameters: { country: 'IN', values: { name: 'A' }, saved_addresses: [{ id: '1' }], validation_errors: {} },
  }),

  template: message('template', { name: 'hello_world', language: { code: 'en', policy: 'deterministic' } }),
  'template with text': body(parameter('text', 'Ana'), parameter('text', '12', { parameter_name: 'order' })),
  'template with money': body(
    parameter('currency', { fallback_value: 'R$ 10', code: 'BRL', amount_1000: 10_000 }),
    parameter('date_time', { fallback_value: '1 de maio' }),
  ),
  'template under an image': header(parameter('image', { link: LINK })),
  'template under a video': header(parameter('video', { id: '1' })),
  'template under a document': header(parameter('document', { id: '1', filename: 'nota.pdf' })),
  'template under a location': header(
    parameter('location', { latitude: '-23.55', longitude: -46.63, name: 'Loja', address: 'Rua A, 1' }),
  ),
  'template with a quick reply': button('quick_reply', parameter('payload', 'yes')),
  'template with an address': button('url', parameter('text', 'orders/1')),
  'template with a coupon': button('copy_code', parameter('coupon_code', 'PAO10')),
  'template with a flow': button('flow', parameter('action', { flow_token: 't', flow_action_data: { a: 1 } })),
  'template with a catalog': button('catalog', parameter('action', { thumbnail_product_retailer_id: 'p' })),
  'template with products': button(
    'mpm',
    parameter('action', { thumbnail_product_retailer_id: 'p', sections: [{ title: 'A', product_items: [] }] }),
  ),
  'template with a numbered button': template({ type: 'button', sub_type: 'voice_call', index: 9 }),
  'template with an offer': template({
    type: 'limited_time_offer',
    parameters: [parameter('limited_time_offer', { expiration_time_ms: 1_800_000_000_000 })],
  }),
  'template with cards': template({
    type: 'carousel',
    cards: [
      {
        card_index: 0,
        components: [
          { type: 'header', parameters: [parameter('image', { id: '1' })] },
          { type: 'body', parameters: [parameter('text', 'Pão')] },
          { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [parameter('payload', 'yes')] },
        ],
      },
    ],
  }),
} satisfies Record<string, Record<string, unknown>>

export type ExampleName = keyof typeof EXAMPLES

/** Members and types that the upstream may know and the hub does not. */
export const PASSED_ON = {
  'an interactive type': interactive('order_details', { name: 'review_and_pay', parameters: { total: { value: 1 } } }),
  'an interactive type without anything': message('interactive', { type: 'request_contact_info' }),
  'an interactive type whose members are of other kinds': message('interactive', {
    type: 'toString',
    header: 'text',
    body: null,
    action: [{ buttons: [] }],
  }),
  'members of an interactive message': interactive('button', { buttons: [{ ...reply('a'), icon: 1 }], style: {} }),
  'members beside an action': interactive('button', buttons, { body: { ...BODY, format: 'md' }, theme: 'dark' }),
  'a kind of card': interactive('carousel', { cards: [{ type: 'poll' }, { type: 'poll' }] }),
  'a template component': template({ type: 'order_status', anything: [1, null] }),
  'a component in other letters': template({ type: 'BODY', parameters: 'none' }),
  'a template parameter': body({ type: 'ttl_minutes', ttl_minutes: 10 }, { type: 'constructor' }),
  'members of a template': message('template', {
    name: 'a',
    language: { code: 'en', region: 'x' },
    category: 'UTILITY',
  }),
  'a kind of button': button('reminder', { type: 'text', text: 'x', style: 'bold' }),
}
