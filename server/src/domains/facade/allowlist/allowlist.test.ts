import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  ALLOWLIST,
  type AllowedOperation,
  findOperation,
  isRawUpload,
  listPossibleKinds,
  parseTarget,
} from './allowlist.ts'
import { parseQuery } from './query.ts'

test('the allowlist has exactly these paths and scopes', { rules: ['facade.forwards-an-allowlist-only'] }, () => {
  assert.deepEqual(ALLOWLIST.filter(({ mounts }) => mounts.includes('upstream')).map(toLine), [
    'GET {phone} channels:read',
    'GET {phone}/whatsapp_business_profile channels:read',
    'GET {waba} channels:read',
    'GET {waba}/message_templates templates:read',
    'GET {media} messages:read',
    'GET {media}/content messages:read',
    'POST {phone}/messages messages:send',
    'POST {phone}/media media:write',
    'POST {phone}/whatsapp_business_profile profile:write',
    'POST {phone}/calls calls:write',
    'POST {waba}/message_templates templates:write',
    'POST {waba}/header_handle templates:write',
    'DELETE {waba}/message_templates templates:write',
  ])
})

test('/graph has the paths of the facade, and exactly these besides', {
  rules: ['graph.own-calls-are-404-at-upstream'],
}, () => {
  assert.ok(ALLOWLIST.every(({ mounts }) => mounts.includes('graph')))
  assert.deepEqual(ALLOWLIST.filter(({ mounts }) => !mounts.includes('upstream')).map(toLine), [
    'GET {waba}/phone_numbers channels:read',
    'DELETE {media} media:write',
    'GET {waba}/subscribed_apps channels:read',
    'POST {waba}/subscribed_apps channels:read',
    'DELETE {waba}/subscribed_apps channels:read',
    'POST {phone} channels:read',
    'GET debug_token null',
    'GET {template} templates:read',
    'POST {template} templates:write',
    'DELETE {template} templates:write',
    'POST {phone}/marketing_messages messages:send',
    'GET {phone}/block_users messages:read',
    'POST {phone}/block_users number:write',
    'DELETE {phone}/block_users number:write',
    'GET {phone}/message_qrdls channels:read',
    'POST {phone}/message_qrdls number:write',
    'GET {phone}/message_qrdls/{code} channels:read',
    'DELETE {phone}/message_qrdls/{code} number:write',
    'POST {phone}/conversational_automation number:write',
    'GET {phone}/whatsapp_commerce_settings channels:read',
    'POST {phone}/whatsapp_commerce_settings number:write',
    'GET {phone}/whatsapp_business_encryption channels:read',
    'POST {phone}/whatsapp_business_encryption number:write',
    'GET {phone}/username channels:read',
    'POST {phone}/username number:write',
    'DELETE {phone}/username number:write',
    'GET {phone}/settings channels:read',
    'POST {phone}/settings number:write',
    'POST {app}/uploads templates:write,profile:write',
    'POST upload:{upload} templates:write,profile:write',
    'GET upload:{upload} templates:write,profile:write',
  ])
})

function toLine({ method, path, scope }: AllowedOperation): string {
  return `${method} ${path} ${scope}`
}

const PLAIN = { kinds: ['phone', 'waba', 'media', 'template', 'app'] as const, item: '' }
const SESSION = `${'Ab-_'.repeat(10)}xyz`

test('the path of a QR code has its number, edge and code', { rules: ['graph.further-calls-need-their-scope'] }, () => {
  assert.deepEqual(parseTarget('/graph/v25.0/123/message_qrdls/4O4YGZEG3RIVE1?fields=code'), {
    ...PLAIN,
    mount: 'graph',
    id: '123',
    edge: 'message_qrdls/{code}',
    item: '4O4YGZEG3RIVE1',
    search: 'fields=code',
  })
})

test('the path of an upload has the id of its session, and is that of raw bytes', {
  rules: ['graph.uploads-give-a-handle'],
}, () => {
  const target = { mount: 'graph', kinds: ['upload'], id: SESSION, edge: '', item: '', search: '' }

  for (const url of [`/graph/upload:${SESSION}`, `/graph/v25.0/upload:${SESSION}`]) {
    assert.deepEqual(parseTarget(url), target)
    assert.ok(isRawUpload(url))
  }
  assert.ok(!isRawUpload('/graph/123/uploads'))
})

for (const url of [
  '/graph/123/message_qrdls//',
  '/graph/123/message_qrdls/a/b',
  '/graph/123/message_qrdls/a%2Fb',
  '/graph/123/message_qrdls/..',
  `/graph/123/message_qrdls/${'A'.repeat(65)}`,
  '/graph/123/messages/456',
  '/graph/upload:',
  `/graph/upload%3A${SESSION}`,
  `/graph/upload:${SESSION}x`,
  `/graph/upload:${SESSION}/messages`,
  `/graph/123/upload:${SESSION}`,
  '/graph/upload:MTph',
]) {
  test(`${url} is not a path of /graph`, { rules: ['graph.further-calls-need-their-scope'] }, () => {
    assert.equal(parseTarget(url), undefined)
  })
}

for (const [url, target] of [
  ['/upstream/123', { id: '123', edge: '', search: '' }],
  ['/upstream/123?', { id: '123', edge: '', search: '' }],
  ['/upstream/v25.0/123', { id: '123', edge: '', search: '' }],
  ['/upstream/v9.0/123/messages', { id: '123', edge: 'messages', search: '' }],
  ['/upstream/123/messages?a=b?c', { id: '123', edge: 'messages', search: 'a=b?c' }],
  ['/upstream/123/messaging_business_profile', { id: '123', edge: 'whatsapp_business_profile', search: '' }],
  ['/upstream/123/whatsapp_business_profile', { id: '123', edge: 'whatsapp_business_profile', search: '' }],
] as const) {
  test(`${url} is parsed as ${JSON.stringify(target)}`, () => {
    assert.deepEqual(parseTarget(url), { mount: 'upstream', ...PLAIN, ...target })
    assert.deepEqual(parseTarget(url.replace('/upstream/', '/graph/')), { mount: 'graph', ...PLAIN, ...target })
  })
}

for (const url of [
  '/upstream',
  '/upstream/',
  '/upstream//123',
  '/upstream/123/',
  '/upstream/123//messages',
  '/upstream/123/messages/',
  '/upstream/./123',
  '/upstream/../123',
  '/upstream/1/../123',
  '/upstream/123/..',
  '/upstream/123/../456',
  '/upstream/%31%32%33',
  '/upstream/123%2Fmessages',
  '/upstream/123/%6dessages',
  '/upstream/123/messages%00',
  '/upstream/123;a=b',
  '/upstream/123/messages;a=b',
  '/upstream/123#x',
  '/upstream/123\\messages',
  '/upstream/123/Messages',
  '/upstream/123/MESSAGES',
  '/Upstream/123',
  '/%75pstream/123',
  '//upstream/123',
  '/upstream/me',
  '/upstream/upload:MTph?sig=x',
  '/upstream/123:456',
  '/upstream/-123',
  '/upstream/v25/123',
  '/upstream/v25.0',
  '/upstream/v25.0/',
  '/upstream/V25.0/123',
  '/upstream/v25.0/v25.0/123',
  '/upstream/123/messages/456',
  '/upstream/123/a/b',
  '/upstream/123 ',
  '/upstream/ 123',
  '/upstream/123\n',
  '/upstream/１２３',
  '/upstream/123/me\u017fsages',
  'http://hub/upstream/123',
  '/upstream/',
  '',
  `/upstream/${'1'.repeat(33)}`,
]) {
  test(`${JSON.stringify(url)} is not a path of the facade`, () => {
    assert.equal(parseTarget(url), undefined)
  })
}

test('the parsed id is digits and the edge lowercase for any URL, both as the URL ends with them', () => {
  const piece = fc.oneof(
    fc.constantFrom('/', '//', '.', '..', '%2f', '%2e', ';', '?', '#', '\\', 'v25.0', 'messages', 'me', '123', '@'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const url = `/upstream/${pieces.join('')}`
      const target = parseTarget(url)

      if (!target) return
      const [path = ''] = url.split('?')
      const edge = path.includes('/messaging_business_profile') ? 'messaging_business_profile' : target.edge
      assert.match(target.id, /^[0-9]+$/)
      assert.match(target.edge, /^[a-z_]*$/)
      assert.ok(path.endsWith(edge === '' ? `/${target.id}` : `/${target.id}/${edge}`))
    }),
    { numRuns: 2000 },
  )
})

test('the possible kinds of an id are those whose path is on the allowlist', () => {
  const kinds = (method: string, edge: string) =>
    listPossibleKinds(method, { mount: 'upstream', ...PLAIN, id: '1', edge, search: '' })

  assert.deepEqual(kinds('GET', ''), ['phone', 'waba', 'media'])
  assert.deepEqual(kinds('GET', 'content'), ['media'])
  assert.deepEqual(kinds('POST', 'messages'), ['phone'])
  assert.deepEqual(kinds('GET', 'messages'), [])
  assert.deepEqual(kinds('GET', 'subscribed_apps'), [])
  assert.deepEqual(kinds('GET', 'phone_numbers'), [])
  assert.deepEqual(kinds('POST', 'register'), [])
  assert.deepEqual(kinds('POST', 'uploads'), [])
  assert.deepEqual(kinds('DELETE', ''), [])
  assert.deepEqual(kinds('PUT', 'messages'), [])
})

test('a path of /graph alone has no possible kind at /upstream', () => {
  const kinds = (url: string) => {
    const target = parseTarget(url)
    return target && listPossibleKinds('GET', target)
  }

  assert.deepEqual([kinds('/graph/debug_token'), kinds('/upstream/debug_token')], [['hub'], []])
  assert.deepEqual([kinds('/graph/1/subscribed_apps'), kinds('/upstream/1/subscribed_apps')], [['waba'], []])
})

test('an edge is an operation of one kind of id only', () => {
  const find = (kind: 'phone' | 'waba' | 'media', edge: string) =>
    findOperation('POST', kind, { mount: 'upstream', ...PLAIN, id: '1', edge, search: '' })?.operation

  assert.equal(find('phone', 'messages'), 'postMessage')
  assert.equal(find('waba', 'messages'), undefined)
  assert.equal(find('media', 'messages'), undefined)
  assert.equal(find('phone', 'message_templates'), undefined)
})

const KNOWN_PARAMETERS = ['fields', 'limit']

test('known query parameters are decoded once', () => {
  assert.deepEqual(parseQuery('fields=a%2Cb&limit=2%2525', KNOWN_PARAMETERS), { fields: 'a,b', limit: '2%25' })
  assert.deepEqual(parseQuery('', KNOWN_PARAMETERS), {})
})

for (const search of [
  'fields=a&fields=b',
  'fields=a&limit=1&fields=a',
  'fields=a&field%73=b',
  'fields=&fields=',
  'Fields=a',
  'fields[]=a',
  'method=delete',
  'appsecret_proof=x',
  '=a',
  'constructor=1',
  '__proto__=1',
  'a',
]) {
  test(`the query ${search} is refused with the name of the parameter`, () => {
    assert.throws(() => parseQuery(search, KNOWN_PARAMETERS), {
      code: 'INVALID_REQUEST',
      message: /The query is invalid: /,
    })
  })
}
