import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { initializedDataDir, newDirectory, type Running, runToEnd, startProcess } from './processes.ts'

const FLAG = '--sample-data'
const EMAIL = 'ana@agenciasol.example'
const CONSOLE = join(import.meta.dirname, '../../../openapi-console.json')
/** They answer with what is not JSON, belong to a link, or say that there is none. */
const ELSEWHERE = /\{token\}|\/logo$|\/export$|\/events$|\/media$|\/inspector|erasureId|template-examples|\{name\}/

type Message = { id: string; direction: string; status: string; channel_id: string }
type Figure = { total: number }

/** A person who signs in with what the hub has printed. */
async function signIn(hub: Running) {
  const [, password = ''] = /Password\s+(\S+)/.exec(hub.output()) ?? []
  const origin = hub.url.replace('127.0.0.1', 'localhost')
  const headers = { origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ email: EMAIL, password })
  const answer = await fetch(`${hub.url}/console/sign-in`, { method: 'POST', headers, body })
  assert.equal(answer.status, 200, await answer.clone().text())
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  const get = async (path: string) => fetch(hub.url + path, { headers: { cookie: cookie.join('; ') } })
  return {
    get,
    async read<T>(path: string): Promise<T> {
      const response = await get(path)
      assert.equal(response.status, 200, path)
      return ((await response.json()) as { data: T }).data
    },
  }
}

type Person = Awaited<ReturnType<typeof signIn>>

async function listMessages({ read }: Person): Promise<Message[]> {
  const messages: Message[] = []
  type Page = { messages: Message[]; next_cursor: string | null }
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await read(`/console/messages?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    messages.push(...page.messages)
    cursor = page.next_cursor
  }
  return messages
}

function count(messages: Message[], direction: string, statuses: string[]): number {
  return messages.filter((one) => one.direction === direction && statuses.includes(one.status)).length
}

/** Every path of the console that reads, with ids of the sample data. */
function listConsolePaths(ids: {
  organization: string
  channel: string
  webhook: string
  delivery: string
  message: string
}) {
  const { paths } = JSON.parse(readFileSync(CONSOLE, 'utf8')) as { paths: Record<string, object> }
  const nouns: [RegExp, string][] = [
    [/organizations\/\{id\}/, `organizations/${ids.organization}`],
    [/channels\/\{id\}/, `channels/${ids.channel}`],
    [/webhooks\/\{id\}/, `webhooks/${ids.webhook}`],
    [/deliveries\/\{(?:id|deliveryId)\}/, `deliveries/${ids.delivery}`],
    [/messages\/\{id\}/, `messages/${ids.message}`],
  ]
  return Object.entries(paths)
    .filter(([path, operations]) => 'get' in operations && !ELSEWHERE.test(path))
    .map(([path]) => nouns.reduce((filled, [noun, id]) => filled.replace(noun, id), path))
}

test('an empty sandbox is filled with two weeks whose figures agree with the log, once', {
  rules: ['sandbox.sample-data-agrees-with-itself', 'sandbox.sample-data-is-made-once'],
}, async (t) => {
  const DATA_DIR = join(await newDirectory(t), 'data')
  const hub = await startProcess(t, { DATA_DIR }, [FLAG])
  while (!hub.output().includes('Password')) await new Promise((resolve) => setTimeout(resolve, 20))
  const ana = await signIn(hub)

  const messages = await listMessages(ana)
  const figures = await ana.read<{ messages: Record<string, Figure>; webhooks: { queued: number } }>(
    '/console/statistics?range=30d',
  )
  const { sent, delivered, read, failed, received } = figures.messages
  assert.ok(messages.length > 500, String(messages.length))
  assert.equal(sent?.total, count(messages, 'outbound', ['sent', 'delivered', 'read', 'failed']))
  assert.equal(delivered?.total, count(messages, 'outbound', ['delivered', 'read']))
  assert.equal(read?.total, count(messages, 'outbound', ['read']))
  assert.equal(failed?.total, count(messages, 'outbound', ['failed']))
  assert.equal(received?.total, count(messages, 'inbound', ['received']))
  for (const { total } of [delivered, read, failed, received] as Figure[]) assert.ok(total > 10)

  const { organization } = await ana.read<{ organization: { id: string } }>('/console/session')
  const { webhooks } = await ana.read<{ webhooks: { id: string; name: string; status: string }[] }>('/console/webhooks')
  assert.deepEqual(webhooks.map(({ name, status }) => [name, status]).sort(), [
    ['CRM', 'active'],
    ['Estoque', 'paused'],
  ])
  const crm = webhooks.find(({ name }) => name === 'CRM')?.id ?? ''
  const { deliveries } = await ana.read<{ deliveries: { id: string }[] }>(
    `/console/webhooks/${crm}/deliveries?status=dead`,
  )
  const { channels } = await ana.read<{ channels: { id: string; name: string }[] }>('/api/v1/channels')
  const shop = channels.find(({ name }) => name === 'Livraria Aurora')?.id
  const { templates } = await ana.read<{ templates: { status: string }[] }>(`/api/v1/channels/${shop}/templates`)
  const states = new Set(templates.map(({ status }) => status))
  assert.deepEqual(states, new Set(['APPROVED', 'PENDING', 'PAUSED', 'REJECTED']))
  const { members } = await ana.read<{ members: { role: string }[] }>('/console/members')
  assert.deepEqual(new Set(members.map(({ role }) => role)), new Set(['owner', 'admin', 'developer', 'viewer']))
  const [message] = messages
  const ids = { channel: message?.channel_id ?? '', message: message?.id ?? '', delivery: deliveries[0]?.id ?? '' }
  for (const path of listConsolePaths({ ...ids, organization: organization.id, webhook: crm })) {
    const { status } = await ana.get(path)
    assert.ok(status === 200 || (status === 404 && path.endsWith('/payload')), `${path} ${status}`)
  }
  assert.equal(await hub.end('SIGTERM'), 0)

  const again = await startProcess(t, { DATA_DIR }, [FLAG])
  while (!again.output().includes('the first start printed')) await new Promise((resolve) => setTimeout(resolve, 20))
  const reset = await runToEnd('admin', ['reset-password', '--email', EMAIL], { DATA_DIR })
  assert.equal(reset.code, 0, reset.stderr)
  const { password } = JSON.parse(reset.stdout)
  const ben = await signIn({ ...again, output: () => `Password ${password}` })
  assert.equal((await listMessages(ben)).length, messages.length)
  assert.equal(await again.end('SIGTERM'), 0)
})

test('an installation with data, another upstream and another argument are refused with a sentence', {
  rules: ['sandbox.sample-data-needs-an-empty-sandbox'],
}, async () => {
  const DATA_DIR = await initializedDataDir()
  const made = await runToEnd('admin', ['create-organization', '--name', 'Acme'], { DATA_DIR })
  assert.equal(made.code, 0, made.stderr)
  const ports = { PORT: '0', SIMULATOR_PORT: '0' }

  const filled = await runToEnd('main', [FLAG], { DATA_DIR, ...ports })
  const real = {
    UPSTREAM_URL: 'https://graph.example.com',
    UPSTREAM_APP_ID: '1',
    UPSTREAM_APP_SECRET: 'secret',
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_VERIFY_TOKEN: 'token',
  }
  const elsewhere = await runToEnd('main', [FLAG], { DATA_DIR, ...ports, ...real })
  const paid = {
    BILLING: 'stripe',
    STRIPE_SECRET_KEY: 'sk',
    STRIPE_WEBHOOK_SECRET: 'whsec',
    PUBLIC_URL: 'https://hub.example.com',
  }
  const billed = await runToEnd('main', [FLAG], { DATA_DIR, ...ports, ...paid })
  const unknown = await runToEnd('main', ['--sample'], { DATA_DIR, ...ports })

  assert.deepEqual([filled.code, elsewhere.code, billed.code, unknown.code], [1, 1, 1, 1])
  assert.equal(billed.stderr, elsewhere.stderr)
  assert.match(
    filled.stderr,
    /^Cannot start: --sample-data needs an empty installation, and .* Start without it, or set DATA_DIR to a new directory\.\n$/,
  )
  assert.equal(
    elsewhere.stderr,
    'Cannot start: --sample-data works in the sandbox only: leave UPSTREAM_URL, ROLE and BILLING out.\n',
  )
  assert.match(unknown.stderr, /^Cannot start: The argument --sample is unknown/)
})
