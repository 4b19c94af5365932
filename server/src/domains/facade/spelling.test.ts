import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { UpstreamRequest } from '../../../test/connecting.ts'
import { everythingStored } from '../../../test/stored.ts'
import { exchange, type WireAnswer } from '../../../test/wire.ts'
import { formOf, MULTIPART } from '../media/test/uploads.ts'
import { seenBy, somebody, TEMPLATE } from './test/scene.ts'
import { type Spelling, spellings } from './test/spellings.ts'
import { assertNowhere, startWatched, upload, type Watched } from './test/watched.ts'

const TOGETHER = 20
const STATUSES = [200, 400, 401, 404, 405, 413, 415, 431]

/** The paths that the upstream may ever be asked for on behalf of the channel, with its own ids. */
function allowedPaths({ number, up }: Watched, mediaId: string): Set<string> {
  const { phoneNumberId: phone, wabaId: waba } = number
  return new Set([
    ...[`GET /${phone}`, `GET /${waba}`, `GET /${mediaId}`, `GET /whatsapp_business/attachments`],
    ...[`GET /${phone}/whatsapp_business_profile`, `POST /${phone}/whatsapp_business_profile`],
    `POST /${up.simulator.appId}/uploads`,
    ...[`POST /${phone}/messages`, `POST /${phone}/media`, `POST /${phone}/calls`],
    ...[`GET /${waba}/message_templates`, `POST /${waba}/message_templates`, `DELETE /${waba}/message_templates`],
  ])
}

function assertAllowed(allowed: Set<string>, { method, path, token_in, params }: UpstreamRequest): void {
  // The file of a header_handle goes to a session that the upstream itself has named.
  const isSession = method === 'POST' && path.startsWith('/upload:')
  assert.ok(isSession || allowed.has(`${method} ${path}`), `the upstream was asked ${method} ${path}`)
  assert.equal(token_in, isSession ? 'oauth' : 'bearer')
  for (const name of Object.keys(params)) assert.doesNotMatch(name, /access_token|method$|^ids|batch|headers|proof|\0/i)
  assert.doesNotMatch(String(params.fields ?? ''), /phone_numbers|PHONE|[{\0]/)
}

/** A request with a body that the named edge would take, as no decent client would write its first line. */
async function send({ hub, token }: Watched, { method, path, header }: Spelling): Promise<WireAnswer> {
  const isForm = /media|header_handle/.test(path)
  const json = JSON.stringify({ to: somebody(), text: { body: 'x' }, ...TEMPLATE, about: 'x' })
  const body = Buffer.from(isForm ? formOf([{ bytes: '%PDF-1.7 a file', name: 'a.pdf' }]) : json)
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
  return exchange(hub.url, Buffer.concat([Buffer.from(head.join('\r\n')), ...(hasBody ? [body] : [])]))
}

/** What passes, so that not everything is refused for something that the test did not mean. */
function rightOnes({ number: { phoneNumberId, wabaId } }: Watched, mediaId: string): Spelling[] {
  return [
    ...[`GET ${phoneNumberId}`, `GET v25.0/${wabaId}?fields=id`, `GET ${mediaId}`, `GET v9.0/${mediaId}/content`],
    ...[`GET ${phoneNumberId}/messaging_business_profile?fields=about`, `GET ${wabaId}/message_templates?limit=1`],
    ...[`POST ${phoneNumberId}/whatsapp_business_profile`, `POST ${phoneNumberId}/media`],
    ...[`POST ${wabaId}/message_templates`, `DELETE ${wabaId}/message_templates?name=${TEMPLATE.name}`],
  ].map((line) => {
    const [method = '', path = ''] = line.split(' ')
    return { method, path: `/upstream/${path}`, header: 'X-HTTP-Method-Override: DELETE' }
  })
}

test('however an address is spelled, the upstream is asked for no path outside the allowlist, and the token stays inside', {
  rules: ['D12-12', 'FAC-02', 'FAC-05', 'FAC-06', 'GEN-13'],
}, async (t) => {
  const world = await startWatched(t)
  const { hub, number, other, up, requests, secrets } = world
  const mediaId = (await upload(world, `/upstream/${number.phoneNumberId}/media`)).body.id
  const theirs = seenBy(world, other)
  const foreignId = (await upload({ ...world, client: theirs.client }, `${theirs.phone}/media`)).body.id
  const allowed = allowedPaths(world, mediaId)
  const names = {
    own: [number.phoneNumberId, number.wabaId, mediaId],
    foreign: [other.number.phoneNumberId, other.number.wabaId, foreignId],
    appId: up.simulator.appId,
  }
  let seen = (await requests()).length
  const statuses: Record<number, number> = {}

  for (const spelling of rightOnes(world, mediaId)) {
    assert.equal((await send(world, spelling)).status, 200, `${spelling.method} ${spelling.path}`)
  }
  const passed = (await requests()).length - seen
  await fc.assert(
    fc.asyncProperty(fc.array(spellings(names), { minLength: TOGETHER, maxLength: TOGETHER }), async (batch) => {
      const answers = await Promise.all(batch.map((spelling) => send(world, spelling)))
      for (const [index, { status, text, headers }] of answers.entries()) {
        const what = JSON.stringify(batch[index])
        statuses[status] = (statuses[status] ?? 0) + 1
        assertNowhere(secrets, what, `${text}\n${[...headers].join('\n')}`)
        assert.ok(STATUSES.includes(status), `${what} was answered ${status}`)
      }
      const asked = (await requests()).slice(seen)
      seen += asked.length
      for (const request of asked) assertAllowed(allowed, request)
    }),
    { numRuns: 45 },
  )

  t.diagnostic(`${seen} questions to the upstream, ${JSON.stringify(statuses)}`)
  assert.ok(passed >= 10, `only ${passed} of the right ones were asked`)
  assert.ok((statuses[404] ?? 0) > 100 && (statuses[200] ?? 0) > 5)
  for (const line of hub.logs) assertNowhere(secrets, 'a log line', line)
  assertNowhere(secrets, 'the database', await everythingStored(hub.sql))
})
