import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AllowedDestination, parseAllowedDestination } from './allowed-destinations.ts'
import { parseDestination } from './destination-url.ts'
import { isPublicAddress } from './public-address.ts'

const NOT_PUBLIC = 'address_not_public'
const FORBIDDEN = 'address_forbidden'
const ONLY_HTTPS = 'url_not_https'
const ONLY_443 = 'url_of_other_port'
const LOCAL_NAME = 'host_local'
const REWRITTEN = 'url_character_forbidden'
const CREDENTIALS = 'url_with_credentials'
const UNREADABLE = 'url_unreadable'
const NOT_IN_FULL = 'url_not_in_full'
const NO_NAME = 'host_invalid'
const DOT = 'host_ends_in_dot'

/** URLs that are refused without allowed destinations, by the reason. */
const REFUSED: Record<string, readonly string[]> = {
  [ONLY_HTTPS]: ['http://example.com/'],
  url_of_other_scheme: ['ftp://example.com/', 'ws://example.com/', 'file:///etc/passwd', 'data:,x'],
  [ONLY_443]: [
    'https://example.com:8443/',
    'https://example.com:80/',
    'https://example.com:0/',
    'https://8.8.8.8:444/',
  ],
  [CREDENTIALS]: [
    'https://a@example.com/',
    'https://a:b@example.com/',
    'https://:b@example.com/',
    'https://8.8.8.8@a.com',
  ],
  [LOCAL_NAME]: [
    'https://localhost/',
    'https://LOCALHOST/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://loc%61lhost/',
    'https://loc\u00adalhost/',
    'https://intranet/',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://metadata。google。internal/',
    'https://nas.home.arpa/',
    'https://abc.onion/',
  ],
  [DOT]: ['https://example.com./', 'https://localhost./', 'https://example.com../', 'https://example.com。/'],
  [NOT_IN_FULL]: ['https:8.8.8.8', 'https:/8.8.8.8/', 'https:///8.8.8.8/', 'https:example.com'],
  [NO_NAME]: [
    'https://a..b.com/',
    'https://.example.com/',
    'https://*.example.com/',
    'https://-a.com/',
    'https://a!b.com/',
    `https://${'a'.repeat(64)}.com/`,
  ],
  [REWRITTEN]: [
    ' https://example.com/',
    'https://example.com/ ',
    'https://exam\tple.com/',
    'https://exam\nple.com/',
    'https://example.com/\r\nHost:x',
    'https:\\\\example.com\\a',
    'https://example.com\\@10.0.0.1/',
    'https://example.com/a b',
    'https://example.com/\u0000',
    'https://example.com/\u2028',
  ],
  [UNREADABLE]: [
    '',
    'example.com',
    '/hooks',
    '//example.com/',
    'https://',
    'https://%00.com/',
    'https://ex%2fample.com/',
    'https://ex%40ample.com/',
    'https://1.2.3.256/',
    'https://1.2.3.4.5/',
    'https://a.0x1/',
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://[::1/',
    'https://example.com:65536/',
    'https://example.com:443:443/',
  ],
  [NOT_PUBLIC]: [
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.01/',
    'https://１２７.０.０.１/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00::1]/',
  ],
  [FORBIDDEN]: [
    'https://169.254.169.254/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://168.63.129.16/',
    'https://100.100.100.200/',
    'https://[fe80::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
  ],
}

/** URLs that are accepted, and the URL that is requested. */
const TAKEN: Record<string, string> = {
  'https://example.com': 'https://example.com/',
  'HTTPS://EXAMPLE.com/Hooks?A=b': 'https://example.com/Hooks?A=b',
  'https://example.com:443/': 'https://example.com/',
  'https://example.com:0443/': 'https://example.com/',
  'https://example.com/a#part': 'https://example.com/a',
  'https://example.com/a#': 'https://example.com/a',
  'https://@example.com/': 'https://example.com/',
  'https://example.com/a/../b': 'https://example.com/b',
  'https://example.com/%5C%0A': 'https://example.com/%5C%0A',
  'https://bücher.example/ü': 'https://xn--bcher-kva.example/%C3%BC',
  'https://127.0.0.1.nip.io/': 'https://127.0.0.1.nip.io/',
  'https://8.8.8.8/': 'https://8.8.8.8/',
  'https://134744072/': 'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/': 'https://[2606:4700:4700::1111]/',
}

for (const [reason, urls] of Object.entries(REFUSED)) {
  test(`a URL is refused with the reason: ${reason}`, {
    rules: [
      'destination.trailing-dot-is-refused',
      'destination.odd-characters-are-refused',
      'destination.has-no-credentials',
    ],
  }, () => {
    for (const url of urls) {
      assert.deepEqual(parseDestination(url, []), { ok: false, code: 'DESTINATION_NOT_ALLOWED', reason }, url)
    }
  })
}

test('the requested URL is the one that was checked, without its fragment', {
  rules: ['destination.fragment-is-dropped'],
}, () => {
  for (const [text, href] of Object.entries(TAKEN)) {
    const destination = parseDestination(text, [])
    assert.equal(destination.ok ? destination.url.href : destination.reason, href, text)
  }
})

test('a URL may have at most 2048 characters', () => {
  const longest = `https://example.com/${'a'.repeat(2048 - 'https://example.com/'.length)}`

  assert.equal(parseDestination(longest, []).ok, true)
  assert.equal(parseReason(`${longest}a`), 'url_too_long')
})

test('an IPv4 address in any notation is checked as its normal form', {
  rules: ['destination.address-is-read-in-every-notation'],
}, () => {
  const octal = (n: number) => `0${n.toString(8)}`
  const hex = (n: number) => `0x${n.toString(16)}`
  const forms: ((a: number, b: number, c: number, d: number) => string)[] = [
    (a, b, c, d) => [a, b, c, d].join('.'),
    (a, b, c, d) => [octal(a), hex(b), c, octal(d)].join('.'),
    (a, b, c, d) => `${a}.${b}.${c * 256 + d}`,
    (a, b, c, d) => `${hex(a)}.${b * 65_536 + c * 256 + d}`,
    (a, b, c, d) => String(((a * 256 + b) * 256 + c) * 256 + d),
    (a, b, c, d) => hex(((a * 256 + b) * 256 + c) * 256 + d),
    (a, b, c, d) => [a, b, c, d].join('.').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    (a, b, c, d) => [a, b, c, d].join('.').replace(/\d/g, (digit) => `%3${digit}`),
    (a, b, c, d) => `${[a, b, c, d].join('.')}.`,
  ]
  const octet = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 10, 127, 169, 172, 192, 254, 255))

  fc.assert(
    fc.property(fc.constantFrom(...forms), octet, octet, octet, octet, (form, a, b, c, d) => {
      const { ok } = parseDestination(`https://${form(a, b, c, d)}/`, [])
      assert.equal(ok, isPublicAddress([a, b, c, d].join('.')), form(a, b, c, d))
    }),
    { numRuns: 2000 },
  )
})

test('a trusted host is accepted only by its name and port, with http or https', {
  rules: [
    'destination.trailing-dot-is-refused',
    'destination.host-entry-trusts-that-host',
    'destination.has-no-credentials',
  ],
}, () => {
  const allowed = parseAll('receiver:8080', 'intranet:443', 'localhost:80')

  for (const url of ['http://receiver:8080/', 'https://RECEIVER:8080/', 'https://intranet/', 'http://localhost/']) {
    assert.equal(parseDestination(url, allowed).ok, true, url)
  }
  assert.equal(parseReason('http://receiver:8081/', allowed), ONLY_HTTPS)
  assert.equal(parseReason('https://receiver/', allowed), LOCAL_NAME)
  assert.equal(parseReason('https://a.receiver:8080/', allowed), ONLY_443)
  assert.equal(parseReason('http://receiver.:8080/', allowed), DOT)
  assert.equal(parseReason('http://a:b@receiver:8080/', allowed), CREDENTIALS)
})

test("an address in a trusted block is accepted only on the block's port, with http or https", {
  rules: ['destination.block-entry-trusts-its-addresses', 'config.allowed-destination-may-be-private'],
}, () => {
  const allowed = parseAll('10.0.0.0/8:8080', '[fd00::]/8:443', '127.0.0.1:9000')

  for (const url of ['http://10.1.2.3:8080/', 'https://10.1.2.3:8080/', 'https://[fd00::1]/', 'http://127.1:9000/']) {
    assert.equal(parseDestination(url, allowed).ok, true, url)
  }
  assert.equal(parseReason('https://10.1.2.3/', allowed), NOT_PUBLIC)
  assert.equal(parseReason('http://11.1.2.3:8080/', allowed), ONLY_HTTPS)
  assert.equal(parseReason('https://8.8.8.8:8080/', allowed), ONLY_443)
  assert.equal(parseReason('http://[::ffff:10.1.2.3]:8080/', allowed), ONLY_HTTPS)
  assert.equal(parseReason('http://127.0.0.2:9000/', allowed), ONLY_HTTPS)
})

test('an IPv6 block does not allow IPv4 addresses, nor an IPv4 block IPv6 addresses', {
  rules: ['destination.ip-versions-are-separate'],
}, () => {
  assert.equal(parseReason('https://10.0.0.1/', parseAll('[::]/0:443')), NOT_PUBLIC)
  assert.equal(parseReason('https://[::1]/', parseAll('0.0.0.0/0:443')), NOT_PUBLIC)
})

test('no trusted block allows a link-local or metadata address', {
  rules: ['destination.link-local-is-refused'],
}, () => {
  const allowed = parseAll('0.0.0.0/0:443', '[::]/0:443')

  for (const url of REFUSED[FORBIDDEN] ?? []) assert.equal(parseReason(url, allowed), FORBIDDEN, url)
  assert.equal(parseReason('https://[64:ff9b::a9fe:a9fe]/', allowed), FORBIDDEN)
})

function parseAll(...entries: string[]): AllowedDestination[] {
  return entries.map((entry) => {
    const parsed = parseAllowedDestination(entry)
    assert.ok(!('problem' in parsed), entry)
    return parsed
  })
}

function parseReason(url: string, allowed: AllowedDestination[] = []): string | undefined {
  const destination = parseDestination(url, allowed)
  return destination.ok ? undefined : destination.reason
}
