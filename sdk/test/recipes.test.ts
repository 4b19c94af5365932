import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { startHub } from '../../server/test/hub.ts'
import { Hub, signWebhook } from '../src/sdk.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = join(ROOT, 'docs/guides/receiving-webhooks.md')
const TSC = join(ROOT, 'node_modules/.bin/tsc')

type Handle = (request: Request) => Response | Promise<Response>
/** The exports of the recipes. */
type Module = { app?: unknown; POST?: Handle }

/** Starts each framework on a server of Node. */
const LISTENERS: Record<string, (module: Module) => Promise<RequestListener>> = {
  Express: async ({ app }) => app as RequestListener,
  Fastify: async ({ app }) => {
    const fastify = app as { ready: () => Promise<unknown>; routing: RequestListener }
    await fastify.ready()
    return fastify.routing
  },
  Hono: async ({ app }) => toListener((app as { fetch: Handle }).fetch),
  Next: async ({ POST }) => toListener(POST!),
}

test('the recipes of the guide take what a hub delivers, and refuse what is not signed', {
  rules: ['sdk.verify-accepts-genuine-only'],
}, async (t) => {
  const folder = await writeRecipes(t)
  const receiver = await startReceiver(t)
  const { url } = receiver
  const hub = await startHub(t, { env: { WEBHOOK_ALLOWED_DESTINATIONS: new URL(url).host } })
  const { key } = await hub.organization()
  const client = new Hub({ url: hub.url, credential: key })
  t.after(() => {
    delete process.env.HUB_WEBHOOK_SECRET
  })

  for (const [name, toRequestListener] of Object.entries(LISTENERS)) {
    await t.test(name, async () => {
      for (const delivery_format of ['native', 'compat'] as const) {
        const { webhook, secret } = await client.webhooks.create({ name, url, delivery_format })
        process.env.HUB_WEBHOOK_SECRET = secret
        // A new module reads the secrets again.
        const module: Module = await import(`${join(folder, `${name.toLowerCase()}.ts`)}?${webhook.id}`)
        receiver.listener = await toRequestListener(module)
        for (const body of [undefined, { overlap_seconds: 60 }]) {
          if (body) await client.webhooks.rotateSecret(webhook.id, body)
          await client.webhooks.test(webhook.id)
          await hub.deliver()
          const [delivery] = await client.webhooks.listDeliveries(webhook.id).toArray()

          assert.deepEqual([delivery?.status, delivery?.last_http_status], ['succeeded', 204])
        }
        await client.webhooks.delete(webhook.id)
      }
      const body = '{"event":"webhook.test"}'
      const signed = await signWebhook(process.env.HUB_WEBHOOK_SECRET ?? '', body)
      assert.equal(await post(url, signed, body), 204)
      assert.equal(await post(url, signed, '{"event":"webhook.tests"}'), 401)
      assert.equal(await post(url, {}, body), 401)
    })
  }

  await t.test('their types are right, also without strictNullChecks', { rules: ['sdk.recipes-compile'] }, async () => {
    for (const options of [{}, { strict: false, exactOptionalPropertyTypes: false }]) {
      await writeConfig(folder, options)
      await promisify(execFile)(TSC, ['-p', folder]).catch((err) => assert.fail(err.stdout))
    }
  })
})

/** Each recipe as a file, in a folder from which the packages of the repository are found. */
async function writeRecipes(t: TestContext): Promise<string> {
  const dist = join(ROOT, 'sdk/dist')
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, 'recipes-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const guide = await readFile(GUIDE, 'utf8')
  for (const name of Object.keys(LISTENERS)) {
    const [, code] = new RegExp(`^## ${name}\n[^]*?\n\`\`\`ts\n([^]*?)\`\`\``, 'm').exec(guide) ?? []
    assert.ok(code, `${GUIDE} has no recipe for ${name}`)
    await writeFile(join(folder, `${name.toLowerCase()}.ts`), code)
  }
  return folder
}

async function writeConfig(folder: string, options: object): Promise<void> {
  const compilerOptions = { incremental: false, ...options }
  const tsconfig = { extends: join(ROOT, 'tsconfig.json'), include: ['*.ts'], exclude: [], compilerOptions }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
}

/** A server for one recipe after the other. */
async function startReceiver(t: TestContext) {
  const receiver: { url: string; listener: RequestListener } = { url: '', listener: () => {} }
  const server = createServer((request, response) => receiver.listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const all = { 'content-type': 'application/json', ...headers }
  const { status } = await fetch(url, { method: 'POST', headers: all, body })
  return status
}

function toListener(handle: Handle): RequestListener {
  return async (request, response) => {
    const { status } = await handle(toRequest(request))
    response.writeHead(status).end()
  }
}

function toRequest(request: IncomingMessage): Request {
  const body = Readable.toWeb(request) as ReadableStream<Uint8Array>
  const headers = request.headers as Record<string, string>
  return new Request(`http://127.0.0.1${request.url}`, { method: 'POST', headers, body, duplex: 'half' })
}
