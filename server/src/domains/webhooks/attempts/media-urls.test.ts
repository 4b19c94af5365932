import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noises, pad, print } from '../../../kernel/json/test/noisy-json.ts'
import { MEDIA_TYPES } from '../../../upstream/files/media.ts'
import { rewriteMediaUrls } from './media-urls.ts'

const GRAPH_URL = 'https://graph.example'
const META = 'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1&ext=2&hash=3'

const FILE = { mime_type: 'image/jpeg', sha256: 'bWVkaWE=', url: META }

function toHubUrl(id: string): string {
  return `${GRAPH_URL}/${id}/content`
}

function rewrite(text: string, kind = 'upstream.raw'): string {
  return rewriteMediaUrls(Buffer.from(text), kind, GRAPH_URL).toString()
}

/** A raw event of one change, as text around the given value. */
function buildRaw(value: string, field = 'messages'): string {
  return `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"value":${value},"field":"${field}"}]}]}`
}

function buildEnvelope(message: object, kind = 'message.received'): string {
  return JSON.stringify({ id: 'e', event: kind, channel_id: 'c', occurred_at: 't', data: { message } })
}

for (const type of MEDIA_TYPES) {
  test(`the address of a file of the type ${type} becomes the hub's, in messages, echoes and edits of both`, {
    rules: ['payload.hub-media-urls-lead-to-the-hub'],
  }, () => {
    const build = (urlOf: (id: string) => string) =>
      ['messages', 'smb_message_echoes', 'history'].map((field) => {
        const list = field === 'smb_message_echoes' ? 'message_echoes' : 'messages'
        const message = { id: 'wamid.1', type, [type]: { ...FILE, id: '71', url: urlOf('71') }, from: '55' }
        const edited = { type, [type]: { url: urlOf('72'), id: '72' } }
        const edit = { id: 'wamid.2', type: 'edit', edit: { original_message_id: 'w', message: edited } }
        return buildRaw(JSON.stringify({ metadata: {}, [list]: [message, edit] }), field)
      })

    const sent = build(() => META).map((text) => rewrite(text))

    assert.deepEqual(sent, build(toHubUrl))
  })

  test(`the address of a normalized file of the type ${type} becomes the hub's, also in an edit`, {
    rules: ['payload.hub-media-urls-lead-to-the-hub'],
  }, () => {
    for (const kind of ['message.received', 'message.echo', 'message.status', 'message.sent']) {
      const build = (url: string) => [
        buildEnvelope({ id: 'm', type, content: { ...FILE, id: '71', url } }, kind),
        buildEnvelope({ type: 'edit', content: { message: { type, [type]: { id: '71', url } } } }, kind),
      ]

      const sent = build(META).map((text) => rewrite(text, kind))

      assert.deepEqual(sent, build(toHubUrl('71')))
    }
  })
}

/** Each has a `url` that is not the address of a file of a message. */
const UNTOUCHED: Record<string, object> = {
  'the text of a message': { type: 'text', text: { id: '1', url: META, body: `{"image":{"id":"1","url":"${META}"}}` } },
  'a location': { type: 'location', location: { id: '1', latitude: 1, longitude: 2, url: META } },
  'contacts with addresses': { type: 'contacts', contacts: [{ id: '1', url: META, urls: [{ url: META }] }] },
  'a referral with an image': {
    type: 'text',
    referral: { source_url: META, image_url: META, image: { id: '1', url: META }, thumbnail_url: META },
  },
  'a template with a header image': {
    type: 'template',
    template: { components: [{ parameters: [{ type: 'image', image: { id: '1', url: META } }] }] },
  },
  'an interactive message with a header image': {
    type: 'interactive',
    interactive: { header: { type: 'image', image: { id: '1', url: META } } },
  },
  'a quoted message': { type: 'text', context: { id: '1', url: META, image: { id: '1', url: META } } },
  'a file with a link alone': { type: 'image', image: { id: '1', link: META } },
  'a file in a file': { type: 'image', image: { id: '1', thumbnail: { id: '2', url: META } } },
  'a list in place of a file': { type: 'image', image: [{ id: '1', url: META }] },
  'an address that is null': { type: 'image', image: { id: '1', url: null } },
  'an address that is an object': { type: 'image', image: { id: '1', url: { url: META, id: '1' } } },
  'an address that is a number': { type: 'image', image: { id: '1', url: 5 } },
}

for (const [what, message] of Object.entries(UNTOUCHED)) {
  test(`${what} is sent as it came`, { rules: ['payload.hub-media-urls-change-nothing-else'] }, () => {
    const { type, ...rest } = message as { type: string } & Record<string, unknown>
    const raw = buildRaw(JSON.stringify({ messages: [message], contacts: [{ image: { id: '1', url: META } }] }))
    const envelope = buildEnvelope({ type, content: rest[type] ?? null, context: rest.context ?? null })

    assert.equal(rewrite(raw), raw)
    assert.equal(rewrite(envelope, 'message.received'), envelope)
  })
}

const ODD_IDS = [
  '',
  '1/../2',
  '../1',
  '1?x=',
  '1#',
  '１２',
  '1 ',
  ' 1',
  '1\n',
  '-1',
  '1e3',
  'abc',
  '%31',
  '"',
  '1'.repeat(33),
]

test('an id that is not of digits is put into no address', {
  rules: ['payload.hub-media-urls-change-nothing-else'],
}, () => {
  for (const id of [...ODD_IDS, null, true, -1, 1.5, ['1'], { id: '1' }]) {
    const raw = buildRaw(JSON.stringify({ messages: [{ type: 'image', image: { id, url: META } }] }))

    assert.equal(rewrite(raw), raw, JSON.stringify(id))
  }
})

test('an id that is a number keeps all its digits', { rules: ['payload.hub-media-urls-lead-to-the-hub'] }, () => {
  const raw = buildRaw('{"messages":[{"image":{"id":123456789012345678901,"url":"x"}}]}')

  assert.equal(rewrite(raw), raw.replace('"x"', '"https://graph.example/123456789012345678901/content"'))
})

test('other fields and other kinds of events are sent as they came', {
  rules: ['payload.hub-media-urls-change-nothing-else'],
}, () => {
  const value = JSON.stringify({ messages: [{ type: 'image', image: { id: '1', url: META } }] })
  const others = ['statuses', 'standby', 'account_update', ''].map((field) => buildRaw(value, field))
  const envelope = buildEnvelope({ type: 'image', content: { id: '1', url: META } }, 'account.update')

  for (const text of others) assert.equal(rewrite(text), text)
  assert.equal(rewrite(envelope, 'account.update'), envelope)
  assert.equal(rewrite(envelope, 'webhook.test'), envelope)
})

test('a payload without an address of a file is returned itself, without a copy', {
  rules: ['payload.hub-media-urls-change-nothing-else'],
}, () => {
  const payload = Buffer.from(buildRaw('{"messages":[{"type":"text","text":{"body":"url"}}]}'))

  assert.equal(rewriteMediaUrls(payload, 'upstream.raw', GRAPH_URL), payload)
})

test('the last of a repeated member is the address, and the others stay', {
  rules: ['payload.hub-media-urls-change-nothing-else'],
}, () => {
  const build = (url: string) =>
    buildRaw(
      `{"messages":[{"image":{"id":"9","url":"a"}}],"messages":[{"image":{"url":"b","id":"8","url":"${url}","id":"7"}}]}`,
    )

  assert.equal(rewrite(build('c')), build(toHubUrl('7')))
})

test('bytes that are not UTF-8, escapes, large numbers and whitespace stay as they are', {
  rules: ['payload.hub-media-urls-change-nothing-else'],
}, () => {
  const before =
    '{"messages" :\t[ {"x": "\xff\xfe\xc0\x80","\\u0069mage":{ "n":1.0E+400, "i\\u0064":"\\u0037" ,"\\u0075rl"\r\n: '
  const after = ' , "caption":"\\/\\ud800 \xe9"}, "y":-0}]  }'
  const build = (url: string) => Buffer.from(buildRaw(before + url + after), 'latin1')

  const sent = rewriteMediaUrls(build('"https:\\/\\/lookaside\\u002eexample\\"\\\\"'), 'upstream.raw', GRAPH_URL)

  assert.deepEqual(sent, build(`"${toHubUrl('7')}"`))
})

const files = fc.record(
  { id: fc.oneof(fc.nat().map(String), fc.string()), url: fc.webUrl(), caption: fc.string({ unit: 'binary' }) },
  { requiredKeys: [] },
)
const messages = fc.array(
  fc.record(
    {
      type: fc.string(),
      image: fc.oneof(files, fc.jsonValue()),
      sticker: files,
      text: files,
      edit: fc.record({ message: fc.record({ video: files }) }),
    },
    { requiredKeys: [] },
  ),
)

type File = { id?: unknown; url?: unknown }

function isRewritten(file: File | undefined): file is { id: string; url: string } {
  return typeof file?.url === 'string' && /^\d{1,32}$/.test(String(file.id)) && typeof file.id === 'string'
}

test('in any spelling of a callback only the addresses change, and all that a parser finds', {
  rules: ['payload.hub-media-urls-lead-to-the-hub'],
}, () => {
  fc.assert(
    fc.property(messages, noises, (list, noise) => {
      const value = { messages: list, other: list }
      const bytes = Buffer.from(pad(print({ entry: [{ changes: [{ field: 'messages', value }] }] }, noise), noise))

      const sent: { entry: { changes: { value: { messages: Record<string, File>[] } }[] }[] } = JSON.parse(
        rewriteMediaUrls(bytes, 'upstream.raw', GRAPH_URL).toString(),
      )

      const expected = JSON.parse(bytes.toString())
      for (const message of expected.entry[0].changes[0].value.messages ?? []) {
        for (const file of [message.image, message.sticker, message.edit?.message?.video]) {
          if (isRewritten(file)) file.url = toHubUrl(file.id)
        }
      }
      assert.deepEqual(sent, expected)
    }),
    { numRuns: 300 },
  )
})

test('a payload of 3 MB with a thousand files, deep nesting and long texts is rewritten whole', {
  rules: ['payload.hub-media-urls-lead-to-the-hub'],
}, () => {
  const build = (urlOf: (id: number) => string) => {
    const all = Array.from({ length: 1000 }, (_, id) => ({
      type: 'document',
      document: { id: String(id), url: urlOf(id), caption: 'x'.repeat(2500) },
    }))
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    return buildRaw(`{"deep":${deep},"messages":${JSON.stringify(all)}}`)
  }

  const sent = rewrite(build(() => META))

  assert.ok(sent === build((id) => toHubUrl(String(id))))
})
