import type { Part } from '../../media/test/uploads.ts'

/**
 * A request of a product, as it sends it to the Graph API. In `path`, `query` and `json`, `{phone}`, `{waba}`, `{media}`,
 * `{contact}`, `{wamid}`, `{token}` and `{callback}` stand for the values of the channel.
 */
export type RecordedRequest = {
  what: string
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  tokenIn: 'header' | 'query'
  query?: Record<string, string>
  /** Sent with a content type of JSON. `null` is no body, with that content type. */
  json?: unknown
  form?: Part[]
  /** The parts of the answer that the product reads. */
  reads: (answer: RecordedAnswer) => boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the request states
export type RecordedAnswer = any

const isSent = (answer: RecordedAnswer) => answer.messages[0].id.startsWith('wamid.')
const isDone = (answer: RecordedAnswer) => answer.success === true
const hasUrl = (answer: RecordedAnswer) => answer.url.startsWith('http')

const chatwootSend = { method: 'POST', path: '/v13.0/{phone}/messages', tokenIn: 'header', reads: isSent } as const

/** The calls of a Chatwoot inbox at `WHATSAPP_CLOUD_BASE_URL`, in the order of its life. */
export const CHATWOOT: readonly RecordedRequest[] = [
  {
    what: 'checks the credentials of a new inbox, and syncs templates',
    method: 'GET',
    path: '/v14.0/{waba}/message_templates',
    tokenIn: 'query',
    reads: ({ data }) => data[0].name !== '' && data[0].components.length > 0,
  },
  {
    ...chatwootSend,
    what: 'sends a text',
    json: { messaging_product: 'whatsapp', context: null, to: '{contact}', text: { body: 'Olá' }, type: 'text' },
  },
  {
    ...chatwootSend,
    what: 'sends a reply',
    json: {
      messaging_product: 'whatsapp',
      context: { message_id: '{wamid}' },
      to: '{contact}',
      text: { body: 'Olá' },
      type: 'text',
    },
  },
  {
    ...chatwootSend,
    what: 'sends an image',
    json: {
      messaging_product: 'whatsapp',
      context: null,
      to: '{contact}',
      type: 'image',
      image: { link: 'https://example.com/menu.png', caption: 'Menu' },
    },
  },
  {
    ...chatwootSend,
    what: 'sends an image without a text',
    json: {
      messaging_product: 'whatsapp',
      context: null,
      to: '{contact}',
      type: 'image',
      image: { link: 'https://example.com/menu.png', caption: null },
    },
  },
  {
    ...chatwootSend,
    what: 'sends a document',
    json: {
      messaging_product: 'whatsapp',
      context: null,
      to: '{contact}',
      type: 'document',
      document: { link: 'https://example.com/menu.pdf', caption: 'Menu', filename: 'menu.pdf' },
    },
  },
  {
    ...chatwootSend,
    what: 'sends a choice of up to three, whose action is JSON in a string',
    json: {
      messaging_product: 'whatsapp',
      to: '{contact}',
      interactive: {
        type: 'button',
        body: { text: 'Ok?' },
        action: JSON.stringify({ buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Sim' } }] }),
      },
      type: 'interactive',
    },
  },
  {
    ...chatwootSend,
    what: 'sends a choice of more, whose action is JSON in a string',
    json: {
      messaging_product: 'whatsapp',
      to: '{contact}',
      interactive: {
        type: 'list',
        body: { text: 'Escolha' },
        action: JSON.stringify({ button: 'Escolher', sections: [{ rows: [{ id: '1', title: 'Francês' }] }] }),
      },
      type: 'interactive',
    },
  },
  {
    ...chatwootSend,
    what: 'sends a template',
    json: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '{contact}',
      type: 'template',
      template: { name: 'order_ready', language: { policy: 'deterministic', code: 'pt_BR' }, components: [] },
    },
  },
  {
    what: 'looks up a received file',
    method: 'GET',
    path: '/v13.0/{media}',
    tokenIn: 'header',
    json: null,
    reads: hasUrl,
  },
  {
    what: 'creates the template of its survey',
    method: 'POST',
    path: '/v14.0/{waba}/message_templates',
    tokenIn: 'header',
    json: {
      name: 'customer_satisfaction_survey_1',
      language: 'en',
      category: 'UTILITY',
      components: [
        { type: 'BODY', text: 'Please rate this conversation' },
        {
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'Please rate us',
              url: 'https://desk.example.com/survey/responses/{{1}}',
              example: ['12345'],
            },
          ],
        },
      ],
    },
    reads: ({ id }) => id !== '',
  },
  {
    what: 'reads the status of that template',
    method: 'GET',
    path: '/v14.0/{waba}/message_templates',
    query: { name: 'customer_satisfaction_survey_1' },
    tokenIn: 'header',
    json: null,
    reads: ({ data: [template] }) => template.name === 'customer_satisfaction_survey_1' && template.status !== '',
  },
  {
    what: 'deletes that template',
    method: 'DELETE',
    path: '/v14.0/{waba}/message_templates',
    query: { name: 'customer_satisfaction_survey_1' },
    tokenIn: 'header',
    json: null,
    reads: isDone,
  },
]

const HEALTH_FIELDS =
  'id,quality_rating,messaging_limit_tier,code_verification_status,account_mode,display_phone_number,name_status,' +
  'verified_name,webhook_configuration,throughput,last_onboarded_time,platform_type,certificate'

/** Chatwoot's calls at `graph.facebook.com`, a constant in it, when it sets up the webhook and shows the health. */
export const CHATWOOT_SETUP: readonly RecordedRequest[] = [
  {
    what: 'reads whether the number is verified',
    method: 'GET',
    path: '/v22.0/{phone}',
    tokenIn: 'header',
    json: null,
    reads: ({ code_verification_status }) => code_verification_status === 'VERIFIED',
  },
  {
    what: 'reads the health of the number',
    method: 'GET',
    path: '/v22.0/{phone}',
    query: { fields: HEALTH_FIELDS },
    tokenIn: 'query',
    reads: ({ id, display_phone_number, platform_type, throughput }) =>
      id !== '' &&
      display_phone_number !== '' &&
      platform_type === 'CLOUD_API' &&
      throughput.level !== 'NOT_APPLICABLE',
  },
  {
    what: 'lists the numbers of the account',
    method: 'GET',
    path: '/v22.0/{waba}/phone_numbers',
    tokenIn: 'query',
    reads: ({ data }) => data.length === 1 && data[0].id !== '' && data[0].display_phone_number !== '',
  },
  {
    what: 'subscribes its app',
    method: 'POST',
    path: '/v22.0/{waba}/subscribed_apps',
    tokenIn: 'header',
    json: null,
    reads: isDone,
  },
  {
    what: 'sets the callback of the account',
    method: 'POST',
    path: '/v22.0/{waba}/subscribed_apps',
    tokenIn: 'header',
    json: {
      override_callback_uri: '{callback}',
      verify_token: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
      subscribed_fields: ['messages', 'smb_message_echoes', 'calls'],
    },
    reads: isDone,
  },
  {
    what: 'unsubscribes its app',
    method: 'DELETE',
    path: '/v22.0/{waba}/subscribed_apps',
    tokenIn: 'header',
    json: null,
    reads: isDone,
  },
]

const PROOF = { appsecret_proof: 'f'.repeat(64) }
const typebotSend = { method: 'POST', path: '/v21.0/{phone}/messages', tokenIn: 'header' } as const

/** Typebot's calls at `WHATSAPP_CLOUD_API_URL`, in the order of its set-up and of a conversation. */
export const TYPEBOT: readonly RecordedRequest[] = [
  {
    what: 'checks that the token never expires and has both permissions',
    method: 'GET',
    path: '/v17.0/debug_token',
    query: { input_token: '{token}', ...PROOF },
    tokenIn: 'header',
    reads: ({ data: { app_id, expires_at, scopes } }) =>
      typeof app_id === 'string' &&
      expires_at === 0 &&
      scopes.includes('whatsapp_business_management') &&
      scopes.includes('whatsapp_business_messaging'),
  },
  {
    what: 'finds the number in the account',
    method: 'GET',
    path: '/v17.0/{waba}/phone_numbers',
    query: { fields: 'id,display_phone_number', limit: '100', ...PROOF },
    tokenIn: 'header',
    reads: ({ data, paging }) => data.length === 1 && data[0].display_phone_number !== '' && !paging?.next,
  },
  {
    what: 'reads whether the app is subscribed',
    method: 'GET',
    path: '/v17.0/{waba}/subscribed_apps',
    query: PROOF,
    tokenIn: 'header',
    reads: ({ data }) => data[0].whatsapp_business_api_data.id !== '',
  },
  {
    what: 'subscribes the app',
    method: 'POST',
    path: '/v17.0/{waba}/subscribed_apps',
    query: PROOF,
    tokenIn: 'header',
    reads: isDone,
  },
  {
    what: 'shows the number',
    method: 'GET',
    path: '/v17.0/{phone}',
    tokenIn: 'header',
    reads: ({ display_phone_number }) => display_phone_number !== '',
  },
  {
    what: 'uploads a file, whose fields come after it',
    method: 'POST',
    path: '/v21.0/{phone}/media',
    tokenIn: 'header',
    form: [
      { field: 'file', name: 'blob', type: 'application/pdf', bytes: '%PDF-1.7\n' },
      { field: 'type', name: null, bytes: 'application/pdf' },
      { field: 'messaging_product', name: null, bytes: 'whatsapp' },
    ],
    reads: ({ id }) => id !== '',
  },
  {
    ...typebotSend,
    what: 'sends a text',
    json: {
      messaging_product: 'whatsapp',
      to: '{contact}',
      type: 'text',
      text: { body: 'Olá', preview_url: false },
    },
    reads: isSent,
  },
  {
    ...typebotSend,
    what: 'sends buttons',
    json: {
      messaging_product: 'whatsapp',
      to: '{contact}',
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: '―' },
        action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'Sim' } }] },
      },
    },
    reads: isSent,
  },
  {
    ...typebotSend,
    what: 'shows that it is typing',
    json: {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: '{wamid}',
      typing_indicator: { type: 'text' },
    },
    reads: isDone,
  },
  { what: 'looks up a received file', method: 'GET', path: '/v17.0/{media}', tokenIn: 'header', reads: hasUrl },
]
