import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type TestContext, test } from 'node:test'
import { createAuthority, issue } from '../../server/test/certificates.ts'
import { ORIGIN } from '../../server/test/hub.ts'
import { startHubWithUpstream } from '../../server/test/hub-with-upstream.ts'
import { freePort } from '../../server/test/journeys/processes.ts'
import { newConfigDirectory, run } from './program.ts'

type Check = { id: string; status: string; message: string; remedy: string | null }
type Listening = { listen: (port: number, host: string, done: () => void) => unknown; address: () => unknown }

async function listenOn(server: Listening, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  return (server.address() as { port: number }).port
}

/** A proxy in front of a hub. With `isBuffering` it sends a response when it is whole; `hidden` paths are its own 404. */
async function startProxy(t: TestContext, target: string, { isBuffering = false, hidden = 'none' } = {}) {
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.url?.startsWith(hidden)) return void outgoing.writeHead(404).end('<h1>Not found</h1>')
    const { method = 'GET', headers, url = '/' } = incoming
    const passed = request(target + url, { method, headers }, (answer) => {
      const { statusCode = 500, headers: sent } = answer
      if (!isBuffering) return void answer.pipe(outgoing.writeHead(statusCode, sent))
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => outgoing.writeHead(statusCode, sent).end(Buffer.concat(chunks)))
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  const port = await listenOn(server)
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

async function examine(t: TestContext, url: string, key: string, ...args: string[]): Promise<Record<string, Check>> {
  const env = { HUBLINE_CONFIG_DIR: await newConfigDirectory(t), HUBLINE_URL: url, HUBLINE_KEY: key }
  const { stdout } = await run(['doctor', '--outside', ...args, '--json'], env)
  return Object.fromEntries((JSON.parse(stdout) as Check[]).map((check) => [check.id, check]))
}

test('doctor --outside finds what a proxy hides, holds back or calls otherwise', {
  rules: ['cli.doctor-looks-from-outside'],
}, async (t) => {
  const { hub, up } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  await acme.post('/api/v1/channels', { name: 'Padaria' })

  const direct = await examine(t, await startProxy(t, hub.url), acme.key)
  const hidden = await examine(t, await startProxy(t, hub.url, { hidden: '/hooks' }), acme.key)
  const buffering = await examine(t, await startProxy(t, hub.url, { isBuffering: true }), acme.key)
  const known = await examine(t, hub.url, acme.key, '--verify-token', up.simulator.verifyToken)
  const wrong = await examine(t, hub.url, acme.key, '--verify-token', 'wrong')

  assert.deepEqual([direct.challenge?.status, direct.buffering?.status], ['ok', 'ok'])
  assert.match(direct.tls?.message ?? '', /https addresses only/)
  assert.match(direct['public-url']?.message ?? '', new RegExp(`^PUBLIC_URL is ${ORIGIN}, and you call `))
  assert.match(hidden.challenge?.message ?? '', /does not lead to the hub: it answered 404/)
  assert.deepEqual([buffering.buffering?.status, buffering.challenge?.status], ['failing', 'ok'])
  assert.match(known.challenge?.message ?? '', /answers the challenge in/)
  assert.equal(wrong.challenge?.message, 'The hub has another verify token.')
  const listeners = await hub.sql`select from listeners where expires_at > hub_now()`
  assert.equal(listeners.length, 0)
})

test('doctor --outside names a certificate that no known authority has signed', {
  rules: ['cli.doctor-looks-from-outside'],
}, async (t) => {
  const server = createTlsServer(issue(createAuthority(), ['127.0.0.1']), (_request, response) => response.end('{}'))
  const port = await listenOn(server)
  t.after(() => server.close())
  const { listOutsideChecks } = await import('../src/outside-checks.ts')
  const { Hub } = await import('@hubline/sdk')
  const url = `https://127.0.0.1:${port}`

  const checks = listOutsideChecks({ url, hub: new Hub({ url, credential: 'hub_sk_none' }), verifyToken: undefined })
  const { value } = await checks.next()

  assert.deepEqual([value?.id, value?.status], ['tls', 'failing'])
  assert.match(value?.message ?? '', /^The certificate is not trusted: /)
})

for (const [host, shown] of [
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
] as const) {
  test(`doctor --outside shows an untrusted certificate of ${shown} with its remedy, without a warning of Node`, {
    rules: ['cli.doctor-looks-from-outside'],
  }, async (t) => {
    const server = createTlsServer(issue(createAuthority(), ['hub.example.com']), (_request, response) =>
      response.end('{}'),
    )
    const port = await listenOn(server, host)
    t.after(() => server.close())
    const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)
    const env = { HUBLINE_CONFIG_DIR, HUBLINE_URL: `https://${shown}:${port}`, HUBLINE_KEY: 'hub_pk_none' }

    const { code, stdout, stderr } = await run(['doctor', '--outside', '--json'], env)

    const tls = (JSON.parse(stdout) as Check[]).find(({ id }) => id === 'tls')
    assert.deepEqual([code, tls?.status, stderr], [1, 'failing', ''])
    assert.match(tls?.message ?? '', /^The certificate is not trusted: [A-Z_]+\.$/)
    assert.match(tls?.remedy ?? '', /send the whole chain/)
  })
}

test('doctor --outside calls a refused connection no certificate that is not trusted', {
  rules: ['cli.doctor-looks-from-outside'],
}, async (t) => {
  const HUBLINE_CONFIG_DIR = await newConfigDirectory(t)
  const env = { HUBLINE_CONFIG_DIR, HUBLINE_URL: `https://127.0.0.1:${await freePort()}`, HUBLINE_KEY: 'hub_pk_none' }

  const { stdout } = await run(['doctor', '--outside', '--json'], env)

  const tls = (JSON.parse(stdout) as Check[]).find(({ id }) => id === 'tls')
  assert.deepEqual(
    [tls?.status, /^There is no TLS connection: .*ECONNREFUSED/.test(tls?.message ?? '')],
    ['failing', true],
  )
})
