import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import type { Lookup } from '../../../kernel/net/lookup.ts'
import { createWebhook, getWebhook, readRow, startWithDns, URL } from './test/webhooks.ts'

const PUBLIC = { address: '93.184.216.34', family: 4 } as const
const ADDRESSES: Record<string, Awaited<ReturnType<Lookup>>> = {
  'hooks.example.com': [PUBLIC, { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 }],
  'private.example.com': [{ address: '192.168.1.1', family: 4 }],
  'loopback.example.com': [{ address: '127.0.0.1', family: 4 }],
  'loopback6.example.com': [{ address: '::1', family: 6 }],
  'metadata.example.com': [{ address: '169.254.169.254', family: 4 }],
  'mapped.example.com': [{ address: '::ffff:10.0.0.1', family: 6 }],
  'mixed.example.com': [PUBLIC, { address: '10.0.0.7', family: 4 }],
  'empty.example.com': [],
}

/** In place of DNS: the names above, and no others. */
const lookup: Lookup = async ({ name }) => {
  const found = ADDRESSES[name]
  if (!found) throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' })
  return found
}

/** URIs that no endpoint may have. */
const NOT_ALLOWED: Record<string, string> = {
  http: 'http://hooks.example.com/in',
  'another scheme': 'ftp://hooks.example.com/in',
  'no scheme of a host': 'javascript:alert(1)',
  'another port': 'https://hooks.example.com:8443/in',
  'the port of http': 'https://hooks.example.com:80/in',
  'a user name and password': 'https://ana:pass@hooks.example.com/in',
  'a user name': 'https://ana@hooks.example.com/in',
  'a host as user name': 'https://hooks.example.com@127.0.0.1/in',
  'a private address': 'https://10.0.0.1/in',
  'another private address': 'https://172.16.0.1/in',
  'a third private address': 'https://192.168.0.1/in',
  'a loopback address': 'https://127.0.0.1/in',
  'a loopback address in short': 'https://127.1/in',
  'a loopback address as a number': 'https://2130706433/in',
  'a loopback address in octal': 'https://0177.0.0.01/in',
  'a loopback address in hex': 'https://0x7f000001/in',
  'a loopback address, percent-encoded': 'https://%31%32%37.0.0.1/in',
  'a loopback address with a dot at its end': 'https://127.0.0.1./in',
  'no address': 'https://0.0.0.0/in',
  'a link-local address': 'https://169.254.169.254/latest',
  'a link-local address as a number': 'https://2852039166/latest',
  'the metadata address of another cloud': 'https://168.63.129.16/in',
  'a shared address': 'https://100.64.0.1/in',
  'a loopback address of IPv6': 'https://[::1]/in',
  'no address of IPv6': 'https://[::]/in',
  'a local address of IPv6': 'https://[fd00::1]/in',
  'a link-local address of IPv6': 'https://[fe80::1]/in',
  'a mapped loopback address': 'https://[::ffff:127.0.0.1]/in',
  'a mapped metadata address': 'https://[::ffff:a9fe:a9fe]/in',
  'a compatible loopback address': 'https://[::127.0.0.1]/in',
  'a translated loopback address': 'https://[64:ff9b::7f00:1]/in',
  'a tunnelled loopback address': 'https://[2002:7f00:1::]/in',
  localhost: 'https://localhost/in',
  'localhost, percent-encoded': 'https://loc%61lhost/in',
  'a name under localhost': 'https://a.localhost/in',
  'a single label': 'https://intranet/in',
  'a name of .local': 'https://printer.local/in',
  'a name of .internal': 'https://metadata.google.internal/in',
  'a name with a dot at its end': 'https://hooks.example.com./in',
  'a name with an empty label': 'https://hooks..example.com/in',
  'no host': 'https:///',
  'a name with a private address': 'https://private.example.com/in',
  'a name with a loopback address': 'https://loopback.example.com/in',
  'a name with a loopback address of IPv6': 'https://loopback6.example.com/in',
  'a name with a link-local address': 'https://metadata.example.com/in',
  'a name with a mapped address': 'https://mapped.example.com/in',
  'a name with a public and a private address': 'https://mixed.example.com/in',
  'a name without an address': 'https://empty.example.com/in',
  'a name that does not exist': 'https://nowhere.example.com/in',
}

/** A text that is not a URI is refused as such, before its name is resolved. */
const NO_URI: Record<string, string> = {
  'a loopback address in full width': 'https://１２７.０.０.１/in',
  'localhost in circles': 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/in',
  'a backslash': 'https://hooks.example.com\\@127.0.0.1/in',
  'a line break': 'https://hooks.example.com/\r\nHost: internal',
  'a space before it': ' https://hooks.example.com/in',
  'a zone of IPv6': 'https://[fe80::1%25eth0]/in',
  'no scheme': '//hooks.example.com/in',
  nothing: '',
}

const REFUSED = [
  ...Object.entries(NOT_ALLOWED).map((row) => [...row, 'WEBHOOK_URL_NOT_ALLOWED'] as const),
  ...Object.entries(NO_URI).map((row) => [...row, 'INVALID_REQUEST'] as const),
]

test('a creation with a forbidden URL is refused and inserts nothing', {
  rules: ['destination.is-checked-at-creation', 'destination.is-https-only', 'destination.loopback-is-refused'],
}, async (t) => {
  const hub = await startWithDns(t, { lookup })
  const acme = await hub.organization()

  for (const [what, url, code] of REFUSED) {
    const refused = await acme.post('/api/v1/webhooks', { name: 'CRM', url })

    assert.deepEqual([refused.status, refused.body.error?.code], [400, code], what)
  }
  assert.deepEqual((await acme.get('/api/v1/webhooks')).body.data.webhooks, [])
})

test('a change to a forbidden URL is refused and changes nothing', {
  rules: ['destination.is-https-only', 'endpoint.patch-checks-the-url'],
}, async (t) => {
  const hub = await startWithDns(t, { lookup })
  const acme = await hub.organization()
  const webhook = await createWebhook(acme)

  for (const [what, url, code] of REFUSED) {
    const refused = await acme.patch(`/api/v1/webhooks/${webhook.id}`, { name: 'new', url, status: 'paused' })

    assert.deepEqual([refused.status, refused.body.error?.code], [400, code], what)
  }
  assert.deepEqual(await getWebhook(acme, webhook.id), webhook)
  assert.equal((await readRow(hub, webhook.id)).version, 1)
})

test('the refusal of a URL gives the reason but not the resolved address', async (t) => {
  const hub = await startWithDns(t, { lookup })
  const acme = await hub.organization()

  const port = await acme.post('/api/v1/webhooks', { name: 'CRM', url: 'https://hooks.example.com:8443/' })
  const inside = await acme.post('/api/v1/webhooks', { name: 'CRM', url: 'https://private.example.com/' })

  assert.equal(
    port.body.error.message,
    'Only port 443 is allowed, unless WEBHOOK_ALLOWED_DESTINATIONS lists host and port.',
  )
  assert.equal(inside.body.error.message, 'The URL leads to an address that is not public.')
  assert.ok(!inside.text.includes('192.168'))
})

test('a public address and a name with only public addresses are accepted', {
  rules: ['destination.is-a-public-host'],
}, async (t) => {
  const hub = await startWithDns(t, { lookup })
  const acme = await hub.organization()
  const urls = [URL, 'https://hooks.example.com:443/in', 'https://93.184.216.34/in', 'https://[2606:4700::1111]/in']

  for (const url of urls) assert.equal((await createWebhook(acme, { url })).url, url)
})

test('a change checks the URL only where it sets one', async (t) => {
  const [hub, later] = [
    await startWithDns(t),
    await startWithDns(t, { lookup: async () => [{ address: '10.0.0.1', family: 4 }] }),
  ]
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  const acmeLater = later.anonymous.with(bearer(acme.key))

  const leftOut = await acmeLater.patch(`/api/v1/webhooks/${id}`, { name: 'new', status: 'paused' })
  const given = await acmeLater.patch(`/api/v1/webhooks/${id}`, { url: URL })

  assert.equal(leftOut.status, 200)
  assert.deepEqual([given.status, given.body.error.code], [400, 'WEBHOOK_URL_NOT_ALLOWED'])
})

// Otherwise any API key could make the hub resolve names through ids that do not exist.
test('the name in a url is not resolved for an endpoint that does not exist', async (t) => {
  const asked: string[] = []
  const hub = await startWithDns(t, {
    lookup: async ({ name }) => {
      asked.push(name)
      return [PUBLIC]
    },
  })
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const { id } = await createWebhook(acme)

  const refused = await other.patch(`/api/v1/webhooks/${id}`, { url: 'https://other.example.com/in' })

  assert.equal(refused.status, 404)
  assert.deepEqual(asked, ['hooks.example.com'])
})

test('an allowed private destination is accepted at creation and change', async (t) => {
  const hub = await startWithDns(t, { env: { WEBHOOK_ALLOWED_DESTINATIONS: '10.0.0.0/8:8080' } })
  const acme = await hub.organization()

  const { id } = await createWebhook(acme, { url: 'http://10.1.2.3:8080/in' })
  const changed = await acme.patch(`/api/v1/webhooks/${id}`, { url: 'http://10.1.2.4:8080/in' })
  const other = await acme.patch(`/api/v1/webhooks/${id}`, { url: 'http://10.1.2.4:8081/in' })

  assert.equal(changed.status, 200)
  assert.equal(other.body.error.code, 'WEBHOOK_URL_NOT_ALLOWED')
})
