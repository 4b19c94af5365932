import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRawConnection } from '../../../../test/raw-http.ts'
import { FILES, megabytes, padded, pdf, REFUSED } from '../../media/test/files.ts'
import { buildForm, buildPartHead, MULTIPART, type Part } from '../../media/test/uploads.ts'
import {
  createChannelClient,
  postForm,
  startFacade,
  startRelayedFacade,
  TEMPLATE,
  toStatusAndCode,
} from '../test/fixture.ts'

const PDF: Part = { bytes: FILES.pdf!.bytes, name: 'cardápio.pdf' }
const FORMATS = { jpeg: 'IMAGE', png: 'IMAGE', mp4: 'VIDEO', pdf: 'DOCUMENT' }

for (const [kind, format] of Object.entries(FORMATS)) {
  test(`a ${kind} gets a handle that a template accepts as the example of its header`, {
    rules: [
      'facade.adds-the-upstream-token',
      'facade.header-handle-has-ceilings',
      'facade.header-handle-runs-the-upload',
    ],
  }, async (t) => {
    const { client, waba, upstreamCalls, up } = await startFacade(t)
    const { bytes, type } = FILES[kind]!

    const answer = await postForm(client, `${waba}/header_handle`, [{ bytes, name: 'x', type: 'text/plain' }])
    const header = { type: 'HEADER', format, example: { header_handle: [answer.body.h] } }
    const template = await client.post(`${waba}/message_templates`, {
      ...TEMPLATE,
      components: [header, ...TEMPLATE.components],
    })

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.body), ['h'])
    assert.equal(template.status, 200, template.text)
    const [session, filling] = await upstreamCalls()
    assert.equal(session?.path, `/${up.simulator.appId}/uploads`)
    assert.deepEqual(
      [session?.params.file_type, session?.params.file_length, session?.token_in],
      [type, String(bytes.length), 'bearer'],
    )
    assert.match(filling?.path ?? '', /^\/upload:/)
    assert.equal(filling?.token_in, 'oauth')
  })
}

test('a file may have any name; the upstream gets the end of a long one, as one parameter', async (t) => {
  const { client, waba, upstreamCalls } = await startFacade(t)
  const names = ['é'.repeat(20_000).concat('.pdf'), 'a&file_length=1', '../../b.pdf', '\u0000', '😀'.repeat(150)]

  for (const name of names) {
    const answer = await postForm(client, `${waba}/header_handle`, [{ ...PDF, name }])
    assert.equal(answer.status, 200, answer.text)
  }

  const sessions = (await upstreamCalls()).filter(({ path }) => path.endsWith('/uploads'))
  assert.deepEqual(
    sessions.map(({ params }) => params.file_name),
    ['é'.repeat(196).concat('.pdf'), 'a&file_length=1', 'b.pdf', '\u0000', '😀'.repeat(100)],
  )
  for (const { params } of sessions) assert.equal(params.file_length, '2000')
})

test("both steps of the upload of an example use the channel's own token", {
  rules: ['facade.header-handle-runs-the-upload'],
}, async (t) => {
  const { relay, client, waba, channel } = await startRelayedFacade(t)
  const [opening, filling] = [relay.catch('/uploads'), relay.catch('/upload:')]

  const uploading = postForm(client, `${waba}/header_handle`, [PDF])
  const session = await opening
  session.proceed()
  const file = await filling
  file.proceed()

  assert.equal((await uploading).status, 200)
  const { accessToken } = channel.number
  assert.deepEqual(
    [session, file].map(({ request }) => request.headers.authorization),
    [`Bearer ${accessToken}`, `OAuth ${accessToken}`],
  )
})

test('messaging_product may be in the query or in the form', {
  rules: ['facade.messaging-product-may-stand-anywhere'],
}, async (t) => {
  const { client, waba } = await startFacade(t)
  const product = { field: 'messaging_product', name: null, bytes: 'whatsapp' }

  const inQuery = await postForm(client, `${waba}/header_handle?messaging_product=whatsapp`, [PDF])
  const inForm = await postForm(client, `${waba}/header_handle`, [product, PDF])

  assert.deepEqual([inQuery.status, inForm.status], [200, 200])
})

test('no response contains the id of the upload session', {
  rules: ['facade.upload-session-is-never-shown'],
}, async (t) => {
  const { client, waba, upstreamCalls, fault } = await startFacade(t)

  const good = await postForm(client, `${waba}/header_handle`, [PDF])
  await fault('error', '/upload:', { code: 100 })
  const refused = await postForm(client, `${waba}/header_handle`, [PDF])
  await fault('garbled_after', '/upload:')
  const unreadable = await postForm(client, `${waba}/header_handle`, [PDF])

  assert.deepEqual([good, refused, unreadable].map(toStatusAndCode), [
    [200, 'ok'],
    [400, 'UPSTREAM_REJECTED'],
    [502, 'UPSTREAM_UNAVAILABLE'],
  ])
  const sessions = (await upstreamCalls()).map(({ path }) => path).filter((path) => path.startsWith('/upload:'))
  assert.equal(sessions.length, 3)
  for (const { text } of [good, refused, unreadable]) {
    assert.doesNotMatch(text, /upload:|sig=/)
    for (const session of sessions) assert.ok(!text.includes(session.slice('/upload:'.length)))
  }
})

for (const [kind, megabytesMax] of [
  ['jpeg', 5],
  ['png', 5],
  ['mp4', 16],
  ['pdf', 100],
] as const) {
  test(`a ${kind} may have ${megabytesMax} MB of 2^20 bytes, and one byte more is 413 MEDIA_TOO_LARGE`, {
    rules: ['media.megabyte-is-2-to-the-20', 'facade.header-handle-has-ceilings'],
  }, async (t) => {
    const { client, waba, upstreamCalls } = await startFacade(t)
    const { bytes, type } = FILES[kind]!
    const full = padded(bytes, megabytes(megabytesMax))

    const taken = await postForm(client, `${waba}/header_handle`, [{ bytes: full, name: 'x' }])
    const before = (await upstreamCalls()).length
    const refused = await postForm(client, `${waba}/header_handle`, [
      { bytes: padded(full, full.length + 1), name: 'x' },
    ])

    assert.equal(taken.status, 200, taken.text)
    assert.deepEqual(toStatusAndCode(refused), [413, 'MEDIA_TOO_LARGE'])
    assert.partialDeepStrictEqual(refused.body.error.details, { mime_type: type, bytes_max: full.length })
    assert.equal((await upstreamCalls()).length, before)
  })
}

test('the bytes decide the type of an example, and a type outside the list is 400 INVALID_MEDIA', {
  rules: ['facade.header-handle-refuses-other-types', 'media.bytes-decide-the-type'],
}, async (t) => {
  const { client, waba, upstreamCalls } = await startFacade(t)
  const others = {
    ...REFUSED,
    webp: FILES.webp!.bytes,
    ogg: FILES.ogg!.bytes,
    txt: FILES.txt!.bytes,
    doc: FILES.doc!.bytes,
  }

  for (const [kind, bytes] of Object.entries(others)) {
    const answer = await postForm(client, `${waba}/header_handle`, [{ bytes, name: 'a.png', type: 'image/png' }])
    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_MEDIA'], kind)
    assert.deepEqual(answer.body.error.details.allowed, ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf'])
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('a form without a file or with other fields is 400, and a body that is not a form is 415', {
  rules: ['facade.header-handle-takes-a-file'],
}, async (t) => {
  const { client, waba, upstreamCalls } = await startFacade(t)
  const forms: Part[][] = [
    [],
    [{ ...PDF, field: 'document' }],
    [PDF, PDF],
    [PDF, { field: 'type', name: null, bytes: 'x' }],
  ]

  for (const parts of forms) {
    assert.deepEqual(toStatusAndCode(await postForm(client, `${waba}/header_handle`, parts)), [400, 'INVALID_REQUEST'])
  }
  const cut = buildForm([PDF]).subarray(0, -20)
  const broken = await client.send('POST', `${waba}/header_handle`, { raw: Buffer.from(cut), headers: MULTIPART })
  assert.deepEqual(toStatusAndCode(broken), [400, 'INVALID_REQUEST'])
  assert.deepEqual(toStatusAndCode(await client.post(`${waba}/header_handle`, {})), [415, 'UNSUPPORTED_MEDIA_TYPE'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('a refused stored credential is 502 and disconnects the channel', async (t) => {
  const { client, waba, up, channel, readChannelStatus } = await startFacade(t)
  await up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })

  assert.deepEqual(toStatusAndCode(await postForm(client, `${waba}/header_handle`, [PDF])), [
    502,
    'UPSTREAM_UNAVAILABLE',
  ])
  assert.equal(await readChannelStatus(), 'disconnected')
})

test('an upload session id that could change the path is 502', async (t) => {
  const { relay, client, waba } = await startRelayedFacade(t)

  for (const id of [
    'upload:../../me',
    'me',
    '//example.com/upload:x',
    'upload:a?sig=b&access_token=c',
    'upload:a#b',
    '',
  ]) {
    const catching = relay.catch('/uploads')
    const uploading = postForm(client, `${waba}/header_handle`, [PDF])
    ;(await catching).answer(200, JSON.stringify({ id }))
    assert.deepEqual(toStatusAndCode(await uploading), [502, 'UPSTREAM_UNAVAILABLE'], id)
  }
})

/** Starts an upload that never ends. */
async function beginUpload(url: string, path: string, token: string) {
  const connection = await openRawConnection(url)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: hub',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${MULTIPART['content-type']}`,
    'Content-Length: 10000000',
    '\r\n',
  ]
  connection.write(head.join('\r\n'))
  connection.write(buildPartHead({ name: 'a.pdf' }))
  connection.write(pdf(100_000))
  return connection
}

test('a channel may have four uploads in flight; one more is 429 until one ends, and other channels are unaffected', async (t) => {
  const fixture = await startFacade(t)
  const { hub, client, waba, channel } = fixture
  const other = await fixture.connect(fixture.acme)
  await fixture.liftRateLimit()
  const held = await Promise.all(
    Array.from({ length: 5 }, () => beginUpload(hub.url, `${waba}/header_handle`, channel.token)),
  )

  // The hub refuses only the last of the five, so its response means that four are in flight.
  const fifth = await Promise.race(held.map((connection) => connection.answer()))
  const refused = await postForm(client, `${waba}/header_handle`, [PDF])
  const theirs = createChannelClient(fixture, other)
  const unaffected = await postForm(theirs.client, `${theirs.waba}/header_handle`, [PDF])
  for (const connection of held) connection.hangUp()
  let again = await postForm(client, `${waba}/header_handle`, [PDF])
  while (again.status === 429) again = await postForm(client, `${waba}/header_handle`, [PDF])

  assert.deepEqual(
    [toStatusAndCode(fifth), toStatusAndCode(refused)],
    [
      [429, 'RATE_LIMITED'],
      [429, 'RATE_LIMITED'],
    ],
  )
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(unaffected.status, 200)
  assert.equal(again.status, 200)
})

test('an organization may have eight uploads of examples in flight; one more is 429, and others are unaffected', {
  rules: ['facade.header-handles-are-limited'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { hub, acme, channel } = fixture
  const [second, third] = [await fixture.connect(acme), await fixture.connect(acme)]
  const foreign = await fixture.connect(await hub.organization())
  const begin = ({ token, number }: typeof channel) =>
    beginUpload(hub.url, `/upstream/${number.wabaId}/header_handle`, token)
  const held = await Promise.all([channel, second].flatMap((each) => Array.from({ length: 4 }, () => begin(each))))
  // Each channel has four, so a refusal of a fifth means that all four are in flight.
  const fifth = await Promise.all([begin(channel), begin(second)])
  const refusals = await Promise.all(
    [0, 1].map((index) =>
      Promise.race([...held.slice(4 * index, 4 * index + 4), fifth[index]!].map((connection) => connection.answer())),
    ),
  )

  const [own, theirs] = [createChannelClient(fixture, third), createChannelClient(fixture, foreign)]
  const refused = await postForm(own.client, `${own.waba}/header_handle`, [PDF])
  const unaffected = await postForm(theirs.client, `${theirs.waba}/header_handle`, [PDF])
  for (const connection of [...held, ...fifth]) connection.hangUp()

  assert.deepEqual([...refusals, refused].map(toStatusAndCode), Array(3).fill([429, 'RATE_LIMITED']))
  assert.match(refused.body.error.message, /of an organization/)
  assert.equal(unaffected.status, 200)
})
