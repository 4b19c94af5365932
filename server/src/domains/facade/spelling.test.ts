import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { UpstreamRequest } from '../../../test/hub-with-upstream.ts'
import { type RawResponse, sendRaw } from '../../../test/raw-http.ts'
import { dumpDatabase } from '../../../test/stored-secrets.ts'
import { buildForm, MULTIPART } from '../media/test/uploads.ts'
import type { Mount } from './allowlist/allowlist.ts'
import { assertAbsent, type CanaryFixture, startWithCanary, upload } from './test/canary.ts'
import { createChannelClient, newContact, TEMPLATE } from './test/fixture.ts'
import { type Spelling, spellings } from './test/spellings.ts'

const BATCH_SIZE = 20
const STATUSES = [200, 400, 401, 404, 405, 413, 415, 431]

/** The upstream paths that may be called for the channel, with its own ids. */
function allowedPaths({ number, up }: CanaryFixture, mediaId: string, mount: Mount): Set<string> {
  const { phoneNumberId: phone, wabaId: waba } = number
  return new Set([
    `GET /${phone}`,
    `GET /${waba}`,
    `GET /${mediaId}`,
    `GET /whatsapp_business/attachments`,
    `GET /${phone}/whatsapp_business_profile`,
    `POST /${phone}/whatsapp_business_profile`,
    `POST /${up.simulator.appId}/uploads`,
    `POST /${phone}/messages`,
    `POST /${phone}/media`,
    `POST /${phone}/calls`,
    `GET /${waba}/message_templates`,
    `POST /${waba}/message_templates`,
    `DELETE /${waba}/message_templates`,
    ...(mount === 'graph' ? [`DELETE /${mediaId}`] : []),
  ])
}

function assertAllowed(allowed: Set<string>, { method, path, token_in, params }: UpstreamRequest): void {
  // The file of a header handle goes to an upload session whose id the upstream chose.
  const isSession = method === 'POST' && path.startsWith('/upload:')
  assert.ok(isSession || allowed.has(`${method} ${path}`), `the hub called ${method} ${path}`)
  assert.equal(token_in, isSession ? 'oauth' : 'bearer')
  for (const name of Object.keys(params)) assert.doesNotMatch(name, /access_token|method$|^ids|batch|headers|proof|\0/i)
  assert.doesNotMatch(String(params.fields ?? ''), /phone_numbers|PHONE|[{\0]/)
}

/** Sends a request over a raw socket, with a body that is valid for the edge in the path. */
async function send({ hub, token }: CanaryFixture, { method, path, header }: Spelling): Promise<RawResponse> {
  const isForm = /media|header_handle/.test(path)
  const json = JSON.stringify({ to: newContact(), text: { body: 'x' }, ...TEMPLATE, about: 'x' })
  const body = Buffer.from(isForm ? buildForm([{ bytes: '%PDF-1.7 a file', name: 'a.pdf' }]) : json)
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method)
  const type = isForm ? MULTIPART['content-type'] : 'application/json'
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: hub',
    `Authorization: Bearer ${token}`,
    ...(header === null ? [] : [header]),
    ...(hasBody ? [`Content-Type: ${type}`, `Content-Length: ${body.length}`] : []),
    'Connection: close',
    '\r\n',
  ]
  return sendRaw(hub.url, Buffer.concat([Buffer.from(head.join('\r\n')), ...(hasBody ? [body] : [])]))
}

/** Requests that must succeed: they prove that the others are not refused for another reason. */
function validSpellings(
  { number: { phoneNumberId, wabaId } }: CanaryFixture,
  mediaId: string,
  mount: Mount,
): Spelling[] {
  return [
    `GET ${phoneNumberId}`,
    `GET v25.0/${wabaId}?fields=id`,
    `GET ${mediaId}`,
    `GET v9.0/${mediaId}/content`,
    `GET ${phoneNumberId}/messaging_business_profile?fields=about`,
    `GET ${wabaId}/message_templates?limit=1`,
    `POST ${phoneNumberId}/whatsapp_business_profile`,
    `POST ${phoneNumberId}/media`,
    `POST ${wabaId}/message_templates`,
    `DELETE ${wabaId}/message_templates?name=${TEMPLATE.name}`,
  ].map((line) => {
    const [method = '', path = ''] = line.split(' ')
    return { method, path: `/${mount}/${path}`, header: 'X-HTTP-Method-Override: DELETE' }
  })
}

for (const mount of ['upstream', 'graph'] as const) {
  test(`no spelling of a path at /${mount} causes an upstream call outside the allowlist or leaks the token`, {
    rules: ['facade.upstream-token-is-never-shown', 'facade.forwards-an-allowlist-only', 'graph.tokens-leak-nowhere'],
  }, async (t) => {
    const fixture = await startWithCanary(t)
    const { hub, number, other, up, requests, secrets } = fixture
    const mediaId = (await upload(fixture, `/upstream/${number.phoneNumberId}/media`)).body.id
    const theirs = createChannelClient(fixture, other)
    const foreignId = (await upload({ ...fixture, client: theirs.client }, `${theirs.phone}/media`)).body.id
    const allowed = allowedPaths(fixture, mediaId, mount)
    const names = {
      mount,
      own: [number.phoneNumberId, number.wabaId, mediaId],
      foreign: [other.number.phoneNumberId, other.number.wabaId, foreignId],
      appId: up.simulator.appId,
    }
    let seen = (await requests()).length
    const statuses: Record<number, number> = {}

    for (const spelling of validSpellings(fixture, mediaId, mount)) {
      assert.equal((await send(fixture, spelling)).status, 200, `${spelling.method} ${spelling.path}`)
    }
    const passed = (await requests()).length - seen
    await fc.assert(
      fc.asyncProperty(fc.array(spellings(names), { minLength: BATCH_SIZE, maxLength: BATCH_SIZE }), async (batch) => {
        const answers = await Promise.all(batch.map((spelling) => send(fixture, spelling)))
        for (const [index, { status, text, headers }] of answers.entries()) {
          const what = JSON.stringify(batch[index])
          statuses[status] = (statuses[status] ?? 0) + 1
          assertAbsent(secrets, what, `${text}\n${[...headers].join('\n')}`)
          assert.ok(STATUSES.includes(status), `${what} is ${status}`)
        }
        const calls = (await requests()).slice(seen)
        seen += calls.length
        for (const request of calls) assertAllowed(allowed, request)
      }),
      { numRuns: 45 },
    )

    t.diagnostic(`${seen} upstream calls, ${JSON.stringify(statuses)}`)
    assert.ok(passed >= 10, `only ${passed} of the valid requests were forwarded`)
    assert.ok((statuses[mount === 'graph' ? 400 : 404] ?? 0) > 100 && (statuses[200] ?? 0) > 5)
    for (const line of hub.logs) assertAbsent(secrets, 'a log line', line)
    assertAbsent(secrets, 'the database', await dumpDatabase(hub.sql))
  })
}
