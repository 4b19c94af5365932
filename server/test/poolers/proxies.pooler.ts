import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startHub } from '../hub.ts'
import { freePort, newDirectory } from '../journeys/processes.ts'
import { findMissing, findProgram, isListening } from './programs.ts'

const DEPLOY = join(import.meta.dirname, '../../../deploy')
const CHALLENGE = '/hooks/upstream'
/** More than proxies take by default, and less than the hub takes. */
const CALLBACK_BYTES = 3_900_000
const MEDIA_BYTES = 90_000_000
const TIMEOUT_MS = 60_000

type Started = { directory: string; port: number; hubPort: number }
type Proxy = {
  name: string
  path: string | undefined
  file: string
  /** The published configuration for this machine, without TLS: certificates are not what is tried here. */
  adapt: (text: string, started: Started) => string
  args: (file: string, directory: string) => string[]
}

const PROXIES: Proxy[] = [
  {
    name: 'nginx',
    path: process.env.NGINX_PATH,
    file: 'nginx.conf',
    adapt: (text, { directory, port, hubPort }) =>
      `pid ${directory}/pid; error_log stderr; events { worker_connections 1024; }\nhttp { access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;\n${text
        .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
        .replaceAll(/^ *ssl_.*$/gm, '')
        .replace('127.0.0.1:8080', `127.0.0.1:${hubPort}`)}}`,
    args: (file, directory) => ['-g', 'daemon off;', '-p', directory, '-c', file],
  },
  {
    name: 'haproxy',
    path: process.env.HAPROXY_PATH,
    file: 'haproxy.cfg',
    adapt: (text, { port, hubPort }) =>
      text
        .replace(/bind .*/, `bind 127.0.0.1:${port}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${hubPort}`)
        // An account of tests may open fewer files than a service.
        .replace('maxconn 20000', 'maxconn 4000')
        // On a busy machine a hub needs longer for an answer.
        .replace('timeout check 3s', 'timeout check 10s')
        .replace('fall 2', 'fall 20'),
    args: (file) => ['-db', '-f', file],
  },
  {
    name: 'caddy',
    path: process.env.CADDY_PATH,
    file: 'Caddyfile',
    adapt: (text, { port, hubPort }) =>
      `{\n admin off\n auto_https off\n}\n${text.replace('hub.example.com', `http://127.0.0.1:${port}`).replace('127.0.0.1:8080', `127.0.0.1:${hubPort}`)}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
]

/** Starts the proxy with the configuration in deploy/, in front of the hub. */
async function startProxy(t: TestContext, { name, path, file, adapt, args }: Proxy, hubPort: number): Promise<string> {
  const directory = await newDirectory(t, `hubline-${name}-`)
  const port = await freePort()
  await mkdir(join(directory, 'logs'))
  const configuration = join(directory, file)
  const text = await readFile(join(DEPLOY, file), 'utf8')
  await writeFile(configuration, adapt(text, { directory, port, hubPort }))
  const child = spawn(await findProgram(name, path), args(configuration, directory), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: directory },
  })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  t.after(async () => {
    child.kill('SIGTERM')
    await exited
  })
  while (!(await isListening(port))) if (child.exitCode !== null) throw new Error(`${name} ended: ${log}`)
  const url = `http://127.0.0.1:${port}`
  // Until its check has found the hub.
  while ((await fetch(`${url}/health`)).status !== 200);
  return url
}

/** From an address of its own, and with a header in which a client claims another. */
function postFrom(localAddress: string, url: string, key: string): Promise<number> {
  const body = JSON.stringify({ name: `from ${localAddress}`, scopes: ['audit:read'] })
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-forwarded-for': '203.0.113.9',
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/api-keys`, { method: 'POST', localAddress, headers, timeout: TIMEOUT_MS })
    sent.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

for (const proxy of PROXIES) {
  const missing = await findMissing(proxy.name, proxy.path)
  test(`${proxy.name} with deploy/${proxy.file} passes on streams, large bodies, many connections and addresses`, {
    rules: ['deploy.proxies-pass-on-what-the-hub-needs'],
    skip: missing,
    timeout: 5 * TIMEOUT_MS,
  }, async (t) => {
    const hub = await startHub(t, { isOwn: true, env: { TRUSTED_PROXIES: '127.0.0.1', BILLING: 'off' } })
    const acme = await hub.organization()
    // The first answer opens connections. HAProxy takes a hub that fails its first check for one that is down.
    while ((await fetch(`${hub.url}/ready`)).status !== 200);
    const url = await startProxy(t, proxy, Number(new URL(hub.url).port))
    const authorization = `Bearer ${acme.key}`

    await t.test('the first line of a stream arrives while the stream is open', async () => {
      const { listener, secret } = (await acme.post('/api/v1/listeners', {})).body.data
      const stopped = new AbortController()
      const stream = await fetch(`${url}/api/v1/listeners/${listener.id}/stream`, {
        headers: { authorization, 'x-hub-listener-secret': secret },
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      const { value } = (await stream.body?.getReader().read()) ?? {}
      assert.equal(JSON.parse(Buffer.from(value ?? []).toString()).type, 'heartbeat')
      stopped.abort()
    })

    await t.test('large bodies are judged by the hub', async () => {
      const callback = await fetch(url + CHALLENGE, { method: 'POST', body: new Uint8Array(CALLBACK_BYTES) })
      const refused = (await callback.json()) as { error: { code: string } }
      const { id } = (await acme.post('/api/v1/channels', { name: 'Padaria' })).body.data.channel
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(MEDIA_BYTES)], { type: 'application/pdf' }), 'menu.pdf')
      const media = await fetch(`${url}/api/v1/channels/${id}/media`, {
        method: 'POST',
        headers: { authorization },
        body: form,
      })
      const answer = (await media.json()) as { error: { code: string; request_id: string } }
      assert.deepEqual([callback.status, refused.error.code], [401, 'UNAUTHORIZED'])
      // The channel is not connected, which only the hub knows.
      assert.equal(answer.error.code, 'CHANNEL_NOT_CONNECTED')
    })

    await t.test('a path keeps its spelling', async () => {
      const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
        const sent = request(`${url}/hooks/upstream`, { path: '/upstream/1%2F2/x%20y', headers: { authorization } })
        sent.once('error', reject)
        sent.once('response', async (response) => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve({ status: response.statusCode ?? 0, body: text })
        })
        sent.end()
      })
      assert.ok(status >= 400 && body.includes('request_id'), body)
      assert.ok(hub.logs.some((line) => line.includes('/upstream/*')))
    })

    await t.test('three hundred requests at once are answered', async () => {
      const all = await Promise.all(Array.from({ length: 300 }, async () => (await fetch(`${url}/health`)).status))
      assert.deepEqual(new Set(all), new Set([200]))
    })

    await t.test('the hub knows the address of the client, and not what it claims', async () => {
      assert.equal(await postFrom('127.0.0.9', url, acme.key), 201)
      const log = await acme.get('/api/v1/audit-log?action=api_key.created&limit=1')
      assert.equal(log.body.data.entries[0].ip, '127.0.0.9')
    })
  })
}
