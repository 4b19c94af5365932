import { randomBytes } from 'node:crypto'
import { AT, buildMetadata, type Change, type Channel } from './fixture.ts'
import { buildEcho, buildStatus, buildText } from './samples.ts'

const MIB = 1024 * 1024

/** Values that no member should have. */
const ODD = [
  null,
  true,
  -1,
  1.5,
  '',
  'x\0y',
  '\ud800',
  [],
  [[]],
  {},
  [{ id: '1' }],
  JSON.parse('{"__proto__":1,"id":{}}'),
]

/** Changes that the upstream should never send, as JSON texts: JSON.stringify could not print some of them. */
export const HOSTILE_CHANGES: Record<string, (channel: Channel) => string[]> = {
  'NUL in texts, names and ids': (channel) => everywhere(channel, '\0'),
  'unpaired surrogates in texts, names and ids': (channel) => [
    ...everywhere(channel, '\ud83d'),
    ...everywhere(channel, '\udc4d'),
  ],
  'a text of three megabytes': (channel) => [
    buildMessageChange(channel, buildText('wamid.long', { text: { body: 'é'.repeat(1.5 * MIB) } })),
  ],
  'a nesting of 100,000 levels': (channel) => [
    buildMessageChange(channel, buildText('wamid.deep', { text: 'HERE' })).replace(
      '"HERE"',
      `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    ),
  ],
  'absurd times': (channel) =>
    ['9'.repeat(400), '1e999', '-62135596801', 8.64e15, 253402300800, { seconds: 1 }, 'NaN'].map((timestamp, i) =>
      buildMessageChange(channel, buildText(`wamid.time.${i}`, { timestamp })),
    ),
  'ids of 10,000 characters': (channel) => everywhere(channel, randomBytes(5000).toString('hex')),
  'a number that JavaScript cannot represent': (channel) => [
    buildMessageChange(channel, buildText('wamid.inf', { text: { body: 'HERE', id: 'HERE' } })).replaceAll(
      '"HERE"',
      '1e400',
    ),
  ],
  'keys that every object has': (channel) => [
    buildMessageChange(
      channel,
      buildText('wamid.proto', { type: 'HERE', HERE: { HERE: 1 }, context: { HERE: { a: 1 } } }),
    ).replaceAll('HERE', '__proto__'),
    buildMessageChange(channel, buildText('wamid.constructor', { type: 'constructor' })),
    buildMessageChange(
      channel,
      buildText('wamid.has', { type: 'hasOwnProperty', hasOwnProperty: { toString: 1, toJSON: 'x' } }),
    ),
  ],
  'a list of 200,000 restrictions': () => {
    const restrictions = `${'{"expiration":9},'.repeat(2e5)}{"expiration":7}`
    return [`{"field":"account_update","value":{"event":"ACCOUNT_RESTRICTION","restriction_info":[${restrictions}]}}`]
  },
  '5,000 preferences beside 5,000 contacts of others': (channel) => {
    const contacts = Array.from({ length: 5000 }, (_, i) => ({ wa_id: `5599${i}` }))
    const preferences = contacts.map((_, i) => ({ wa_id: `5511${i}`, category: 'marketing_messages', value: `${i}` }))
    const value = { ...buildMetadata(channel), contacts, user_preferences: preferences }
    return [JSON.stringify({ field: 'user_preferences', value })]
  },
  'a type that names another member': (channel) =>
    ['id', 'from', 'timestamp', 'type', 'context'].map((type) =>
      buildMessageChange(channel, buildText(`wamid.t.${type}`, { type })),
    ),
}

/** Each sample with each of its members replaced by each odd value; each message has its own id. */
export function listSpoiledChanges(channel: Channel): string[] {
  const changes = buildSamples(channel).flatMap(({ field, value }) => {
    return [...spoil(value)].map((spoiled) => JSON.stringify({ field, value: spoiled }))
  })
  return changes.map((change, index) => change.replace('"NAME"', `"wamid.${index}"`))
}

function buildSamples(channel: Channel): Change[] {
  const contacts = [{ profile: { name: 'Ana' }, wa_id: '5511', user_id: 'BR.1' }]
  const errors = [{ code: 1, title: 't', message: 'm', error_data: { details: 'd' } }]
  const image = { id: '1', mime_type: 'image/png', sha256: 'x' }
  const received = buildText('NAME', { image, context: { id: '0' }, referral: { a: 1 }, group_id: 'g', errors })
  const edited = { ...buildEcho(channel.digits, 'NAME'), to_user_id: 'BR.1', edit: { message: { image } } }
  const named = { display_phone_number: channel.digits, decision: 'APPROVED', requested_verified_name: 'P' }
  return [
    { field: 'messages', value: { ...buildMetadata(channel), contacts, messages: [received] } },
    {
      field: 'messages',
      value: {
        ...buildMetadata(channel),
        contacts,
        statuses: [
          buildStatus('NAME', 'read', { errors, pricing: { a: 1 }, biz_opaque_callback_data: 'o', conversation: {} }),
        ],
      },
    },
    { field: 'smb_message_echoes', value: { ...buildMetadata(channel), contacts, message_echoes: [edited] } },
    { field: 'phone_number_quality_update', value: { display_phone_number: channel.digits, event: 'FLAGGED' } },
    { field: 'phone_number_name_update', value: named },
    { field: 'account_update', value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'x' }, waba_info: {} } },
    { field: 'account_update', value: { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ expiration: AT }] } },
    { field: 'account_alerts', value: { entity_type: 'PHONE_NUMBER', entity_id: channel.number.phoneNumberId } },
    {
      field: 'message_template_status_update',
      value: { event: 'e', message_template_id: 1, message_template_name: 'n', message_template_language: 'l' },
    },
    {
      field: 'message_template_status_update',
      value: {
        event: 'PAUSED',
        message_template_name: 'n',
        message_template_language: 'pt_BR',
        other_info: { title: 'FIRST_PAUSE' },
      },
    },
  ]
}

function* spoil(value: unknown): Generator<unknown> {
  yield* ODD
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    for (const spoiled of spoil(member)) {
      yield Array.isArray(value) ? value.with(Number(key), spoiled) : { ...value, [key]: spoiled }
    }
  }
}

/** Changes with the text in every member that is stored or looked up. */
function everywhere(channel: Channel, text: string): string[] {
  const t = (prefix: string) => `${prefix}${text}`
  const contacts = [{ profile: { name: t('Ana') }, wa_id: t('5511'), user_id: t('BR.') }]
  const image = { id: t('1'), mime_type: t('image/'), sha256: t('x') }
  const errors = [{ code: 1, title: t('t'), message: t('m'), error_data: { details: t('d') } }]
  const around = { from: t('55'), from_user_id: t('BR.'), context: { id: t('w') }, group_id: t('g'), errors }
  const opaque = {
    biz_opaque_callback_data: t('o'),
    recipient_id: t('5'),
    recipient_user_id: t('BR.'),
    pricing: { [t('p')]: t('q') },
  }
  const metadata = { display_phone_number: t(channel.digits), phone_number_id: channel.number.phoneNumberId }
  return [
    {
      field: 'messages',
      value: { metadata, contacts, messages: [buildText(t('w'), { ...around, text: { body: t('b') } })] },
    },
    { field: 'messages', value: { metadata, contacts, messages: [buildText(t('i'), { type: t('image'), image })] } },
    {
      field: 'messages',
      value: { metadata, contacts, statuses: [buildStatus(t('s'), 'failed', { errors, ...opaque })] },
    },
    {
      field: 'smb_message_echoes',
      value: { metadata, contacts, message_echoes: [buildEcho(t('5'), t('e'), { to: t('6') })] },
    },
    { field: 'messages', value: { metadata: { phone_number_id: t(channel.number.phoneNumberId) }, messages: [] } },
    {
      field: 'phone_number_name_update',
      value: { display_phone_number: channel.digits, decision: 'APPROVED', requested_verified_name: t('Padaria') },
    },
    { field: 'account_alerts', value: { entity_type: 'PHONE_NUMBER', entity_id: t('1'), alert_info: t('a') } },
    { field: 'account_update', value: { event: t('PARTNER_REMOVED'), waba_info: { waba_id: t('1') } } },
    { field: t('account_update'), value: { event: t('e'), phone_number: t(channel.digits) } },
    { field: 'message_template_status_update', value: { event: t('e'), message_template_id: t('1') } },
    ...[
      { message_template_name: t('n'), message_template_language: 'pt_BR' },
      { message_template_name: 'n', message_template_language: t('pt') },
    ].map((template) => ({ field: 'message_template_status_update', value: { event: 'PAUSED', ...template } })),
  ].map((change) => JSON.stringify(change))
}

function buildMessageChange(channel: Channel, message: object): string {
  return JSON.stringify({ field: 'messages', value: { ...buildMetadata(channel), messages: [message] } })
}

/** A callback with changes that are JSON texts. */
export function wrapChanges(channel: Channel, changes: string[]): string {
  return `{"object":"o","entry":[{"id":"${channel.number.wabaId}","time":${AT},"changes":[${changes.join(',')}]}]}`
}
