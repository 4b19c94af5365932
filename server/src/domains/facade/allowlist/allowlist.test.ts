import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ALLOWLIST, type AllowedOperation, findOperation, listPossibleKinds, parseTarget } from './allowlist.ts'
import { parseQuery } from './query.ts'

test('the allowlist has exactly these paths and scopes', { rules: ['GEN-13'] }, () => {
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

test('/graph has the paths of the facade, and exactly these besides', { rules: ['GPH-04'] }, () => {
  assert.ok(ALLOWLIST.every(({ mounts }) => mounts.includes('graph')))
  assert.deepEqual(ALLOWLIST.filter(({ mounts }) => !mounts.includes('upstream')).map(toLine), [
    'GET {waba}/phone_numbers channels:read',
    'DELETE {media} media:write',
    'GET {waba}/subscribed_apps channels:read',
    'POST {waba}/subscribed_apps channels:read',
    'DELETE {waba}/subscribed_apps channels:read',
    'POST {phone} channels:read',
    'GET debug_token null',
  ])
})

function toLine({ method, path, scope }: AllowedOperation): string {
  return `${method} ${path} ${scope}`
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
    assert.deepEqual(parseTarget(url), { mount: 'upstream', ...target })
    assert.deepEqual(parseTarget(url.replace('/upstream/', '/graph/')), { mount: 'graph', ...target })
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

test('of any URL, the parsed id is digits and the edge lowercase, both as the URL ends with them', () => {
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
    listPossibleKinds(method, { mount: 'upstream', id: '1', edge, search: '' })

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
    findOperation('POST', kind, { mount: 'upstream', id: '1', edge, search: '' })?.operation

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
