import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { buildJpegHead, buildPng, buildWebpHead } from '../../../../test/images.ts'

const MAXIMUM = 200 * 1024

const pathOf = ({ organizationId }: { organizationId: string }) => `/console/organizations/${organizationId}/logo`
const toBody = (bytes: Buffer) => ({ content: bytes.toString('base64') })

function padTo(length: number): Buffer {
  const png = buildPng(2, 2)
  return Buffer.concat([png, Buffer.alloc(length - png.length)])
}

const ACCEPTED: [string, Buffer, string][] = [
  ['a PNG of 1,024 pixels a side', buildPng(1024, 1024), 'image/png'],
  ['a file of exactly 200 KB', padTo(MAXIMUM), 'image/png'],
  ['a baseline JPEG', buildJpegHead(320, 200, 0xc0), 'image/jpeg'],
  ['a progressive JPEG', buildJpegHead(1024, 1, 0xc2), 'image/jpeg'],
  ['a lossy WebP', buildWebpHead('VP8 ', 64, 1024), 'image/webp'],
  ['a lossless WebP', buildWebpHead('VP8L', 1024, 64), 'image/webp'],
  ['an extended WebP', buildWebpHead('VP8X', 1024, 1024), 'image/webp'],
]

for (const [what, bytes, type] of ACCEPTED) {
  test(`${what} is a logo, and members load it with the type of its bytes and without sniffing`, {
    rules: ['organization.logo-is-judged-by-bytes', 'organization.logo-is-served-to-members'],
  }, async (t) => {
    const hub = await startHub(t)
    const ana = await hub.person()
    const viewer = await hub.person({ organizationId: ana.organizationId, role: 'viewer' })

    const set = await ana.put(pathOf(ana), toBody(bytes))
    assert.equal(set.status, 200, set.text)
    const { logo } = set.body.data.settings
    const served = await viewer.get(logo.url)

    assert.deepEqual([logo.type, logo.bytes], [type, bytes.length])
    assert.equal(served.status, 200)
    assert.equal(served.headers.get('content-type'), type)
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff')
    assert.match(served.headers.get('content-security-policy') ?? '', /sandbox; default-src 'none'/)
    assert.match(served.headers.get('cache-control') ?? '', /no-store/)
  })
}

const REFUSED: [string, Buffer, string][] = [
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'logo_not_image'],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), 'logo_not_image'],
  ['a page', Buffer.from('<!doctype html><title>x</title>'), 'logo_not_image'],
  ['a cut PNG', buildPng(2, 2).subarray(0, 20), 'logo_not_image'],
  ['a PNG without pixels', buildPng(0, 0), 'logo_not_image'],
  ['a JPEG without a frame', Buffer.from('ffd8ffe000044a46ffd9', 'hex'), 'logo_not_image'],
  ['a cut JPEG', buildJpegHead(10, 10).subarray(0, 14), 'logo_not_image'],
  ['a WebP with another chunk', buildWebpHead('VP8 ', 1, 1).fill('ALPH', 12, 16, 'latin1'), 'logo_not_image'],
  ['a PNG of 1,025 pixels', buildPng(1025, 1), 'logo_too_large'],
  ['a JPEG of 1,025 pixels', buildJpegHead(1, 1025), 'logo_too_large'],
  ['a WebP of 1,025 pixels', buildWebpHead('VP8X', 1025, 1), 'logo_too_large'],
]

for (const [what, bytes, reason] of REFUSED) {
  test(`${what} is refused as a logo`, {
    rules: ['organization.logo-is-judged-by-bytes', 'organization.logo-has-a-size'],
  }, async (t) => {
    const hub = await startHub(t)
    const ana = await hub.person()

    const refused = await ana.put(pathOf(ana), toBody(bytes))

    assert.equal(refused.status, 400, refused.text)
    assert.equal(refused.body.error.details.reason, reason)
    assert.equal((await ana.get(pathOf(ana))).status, 404)
  })
}

test('a file of more than 200 KB and content that is no base64 are refused', {
  rules: ['organization.logo-has-a-size'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const answers = [
    await ana.put(pathOf(ana), toBody(padTo(MAXIMUM + 1))),
    await ana.put(pathOf(ana), toBody(padTo(MAXIMUM + 4))),
    await ana.put(pathOf(ana), { content: 'data:image/png;base64,iVBORw0KGgo=' }),
    await ana.put(pathOf(ana), { content: '' }),
  ]

  for (const { status, text } of answers) assert.equal(status, 400, text)
})

test('only owners and admins change the logo and the color, and the audit log names the change without the image', {
  rules: ['organization.settings-change-by-role', 'organization.settings-change-is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const join = (role: 'admin' | 'developer' | 'viewer') => hub.person({ organizationId: ana.organizationId, role })
  const [admin, developer, viewer] = [await join('admin'), await join('developer'), await join('viewer')]
  const png = buildPng(4, 4)

  for (const member of [developer, viewer]) {
    assert.equal((await member.put(pathOf(ana), toBody(png))).status, 403)
    assert.equal((await member.delete(pathOf(ana))).status, 403)
  }
  assert.equal((await admin.put(pathOf(ana), toBody(png))).status, 200)
  const removed = await ana.delete(pathOf(ana))

  assert.equal(removed.body.data.settings.logo, null)
  assert.equal((await ana.get(pathOf(ana))).status, 404)
  const { entries } = (await ana.get('/api/v1/audit-log?action=organization.updated')).body.data
  const shown = `image/png, ${png.length} bytes`
  assert.deepEqual(
    entries.map(({ details }: { details: object }) => details),
    [{ changes: { logo: { from: shown, to: null } } }, { changes: { logo: { from: null, to: shown } } }],
  )
})

test("another organization's members, keys and people without a session do not load the logo", {
  rules: ['organization.logo-is-served-to-members'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  assert.equal((await ana.put(pathOf(ana), toBody(buildPng(4, 4)))).status, 200)
  const key = await hub.organization()

  assert.equal((await bob.get(pathOf(ana))).status, 404)
  assert.equal((await key.get(pathOf(ana))).status, 401)
  assert.equal((await hub.anonymous.get(pathOf(ana))).status, 401)
})
