import fc from 'fast-check'
import type { Mount } from '../allowlist/allowlist.ts'

export type Spelling = { method: string; path: string; header: string | null }

/** The mount and the ids from which paths are generated. */
export type Names = { mount: Mount; own: string[]; foreign: string[]; appId: string }

const OTHER_METHODS = ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'SEARCH', 'get']

/** The part before the id, of which `upstream` becomes the mount. */
const ROOTS = [
  '//upstream/',
  '/upstream//',
  '/Upstream/',
  '/UPSTREAM/',
  '/./upstream/',
  '/x/../upstream/',
  '/%75pstream/',
  '/%67raph/',
  '/%2567raph/',
  'http://hub/upstream/',
  'http://graph.facebook.com/upstream/',
  '/api/v1/../../upstream/',
  '/upstream;x=y/',
  '/upstream\\',
  '/upstream%2f',
  '/upstream/upstream/',
  '/upstream/http://graph.facebook.com/',
  '/upstream/@',
]

const EDGES = [
  '/messages',
  '/media',
  '/whatsapp_business_profile',
  '/messaging_business_profile',
  '/message_templates',
  '/calls',
  '/content',
  '/header_handle',
  '/subscribed_apps',
  '/phone_numbers',
  '/register',
  '/deregister',
  '/uploads',
  '/access_token',
  '/Messages',
  '/MESSAGES',
  '/me\u017fsages',
  '/me%c5%bfsages',
  '/message_template\uff53',
]

const PREFIXES = [
  'v25.0/',
  'v1.0/',
  'V25.0/',
  'v25/',
  'v25.0/v25.0/',
  'v25.0//',
  '/',
  './',
  '../',
  '%2e%2e/',
  '%2e/',
  '.%2e/',
  '..%2f',
  '..%5c',
  '..\\',
  '%00',
  '%20',
  '+',
  '-',
  '0',
  '%ef%bc%91',
  '\uff11',
  '%c0%ae%c0%ae/',
  '\uff0e\uff0e/',
  ';/',
]

const SUFFIXES = [
  '/',
  '//',
  '/.',
  '/..',
  '%2f',
  '%2F..',
  '%252f',
  '%5c',
  ';a=b',
  ';jsessionid=1',
  '%3Ffields=id',
  '#x',
  '%23x',
  '\\',
  '%09',
  '%0a',
  '%0d%0aX-A:%20b',
  '%00',
  '%00.json',
  '.json',
  ' ',
  '%20',
  '\uff0f',
  '%ef%bc%8f',
  '%c0%af',
  '%e0%80%af',
  '%f0%80%80%af',
  '%u002f',
  '\u202e',
  'é',
  '%ff',
  '%',
  '%2',
  '%zz',
  '*',
  ',',
  `/${'a'.repeat(5000)}`,
  '1'.repeat(300),
]

const PARAMETERS = [
  'fields=id',
  'fields=id,name',
  'fields=phone_numbers',
  'fields=name%7Bid%7D',
  'limit=5',
  'after=x',
  'name=x',
  'method=delete',
  'METHOD=delete',
  '_method=DELETE',
  'ids=1,2',
  'access_token=x',
  'access%5ftoken=x',
  'hsm_id=1',
  'messaging_product=whatsapp',
  'fields=pricing_analytics.dimensions(PHONE)',
  'phone_number_id=1',
  'batch=%5B%5D',
  'include_headers=true',
  '=',
  '%00',
  '%00=1',
  '&&',
  'fields[]=id',
  'fields%5B%5D=id',
  'Fields=id',
  'f%69elds=name',
  'fields=id;limit=1',
  'fields=%ef%bd%89d',
  'fields=id%00',
  `fields=${'id,'.repeat(900)}id`,
  'appsecret_proof=x',
]

const HEADERS = [
  'X-HTTP-Method-Override: DELETE',
  'X-HTTP-Method: DELETE',
  'X-Method-Override: DELETE',
  'X-Original-URL: /me',
  'X-Rewrite-URL: /me',
  'X-Forwarded-Host: graph.facebook.com',
  'X-Forwarded-Prefix: /me',
  'X-Original-Method: GET',
]

/** Paths near those of the allowlist: real ids and edges, with every known trick of path confusion. */
export function spellings({ mount, own, foreign, appId }: Names): fc.Arbitrary<Spelling> {
  const roots = ROOTS.map((root) =>
    root.replace(/upstream/i, (name) => (name === 'UPSTREAM' ? mount.toUpperCase() : mount)),
  )
  const some = (list: string[], weight: number) =>
    fc.oneof({ weight, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...list) })
  const root = fc.oneof({ weight: 6, arbitrary: fc.constant(`/${mount}/`) }, fc.constantFrom(...roots))
  const others = [
    ...foreign,
    appId,
    'me',
    'oauth',
    'debug_token',
    'upload:x',
    '1',
    'app',
    'search',
    `${own[0]},${own[1]}`,
  ]
  const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, fc.constantFrom(...others))
  const hops = [`/../${foreign[0]}`, '/..;/me', `%2f..%2f${appId}`, `/..%5c${foreign[0]}`, `/%2e%2e/${foreign[0]}`]
  const parameters = fc.array(fc.constantFrom(...PARAMETERS), { minLength: 1, maxLength: 2 })
  const query = fc.oneof(
    fc.constant(''),
    parameters.map((list) => `?${list.join('&')}`),
  )
  const address = fc
    .tuple(root, some(PREFIXES, 4), id, some(EDGES, 1), some(hops, 10), some(SUFFIXES, 2), query)
    .map((parts) => parts.join(''))
  const escaped = fc.tuple(address, fc.nat(60)).map(([text, at]) => escapeCharacter(text, at))
  return fc.record({
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('GET', 'GET', 'POST', 'DELETE') },
      fc.constantFrom(...OTHER_METHODS),
    ),
    path: fc.oneof({ weight: 3, arbitrary: address }, { weight: 1, arbitrary: escaped }),
    header: fc.option(fc.constantFrom(...HEADERS), { freq: 4 }),
  })
}

/** The path with one character percent-encoded: servers differ in whether they decode it. */
function escapeCharacter(text: string, at: number): string {
  const char = text[at]
  if (char === undefined || char === '%' || at === 0) return text
  return `${text.slice(0, at)}%${char.charCodeAt(0).toString(16).padStart(2, '0')}${text.slice(at + 1)}`
}
