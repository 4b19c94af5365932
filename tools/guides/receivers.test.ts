import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Hub, signWebhook } from '@hubline/sdk'
import { RECEIVERS } from '../../dashboard/src/api/generated/receivers.gen.ts'
import { startHub } from '../../server/test/hub.ts'
import { CASES_PROGRAMS } from './receiver-cases.ts'

const GUIDES = join(import.meta.dirname, '../../docs/guides')
const VERSIONS = { native: 'v2', compat: 'compat-v1' } as const
const TOLERANCE_SECONDS = 300
/** Go compiles its standard library at first use, which takes minutes on a slow machine. */
const TIMEOUT_MS = 580_000

type Command = [string, ...string[]]
type Language = {
  name: string
  isPresent: Command
  file: string
  /** The program that prints the results of the cases. */
  cases?: { file: string; build?: Command; run: Command }
  /** The command of its first line, but for what is compiled for the cases anyway. */
  serve: (port: number) => Command
}
type Signed = {
  format: keyof typeof VERSIONS
  secret: string
  timestamp: number
  body?: string
  body_base64?: string
  headers: Record<string, string>
}
type Case = { secrets: string[]; version: string; headers: Record<string, string>; body_base64: string; now: number }

const LANGUAGES: Language[] = [
  {
    name: 'Node',
    isPresent: ['node', '--version'],
    file: 'receiver.mjs',
    cases: { file: 'cases.mjs', run: ['node', 'cases.mjs'] },
    serve: () => ['node', 'receiver.mjs'],
  },
  {
    name: 'Python',
    isPresent: ['python3', '--version'],
    file: 'receiver.py',
    cases: { file: 'cases.py', run: ['python3', 'cases.py'] },
    serve: () => ['python3', '-u', 'receiver.py'],
  },
  {
    name: 'PHP',
    isPresent: ['php', '--version'],
    file: 'receiver.php',
    cases: { file: 'cases.php', run: ['php', 'cases.php'] },
    serve: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  {
    name: 'Go',
    isPresent: ['go', 'version'],
    file: 'receiver.go',
    cases: {
      file: 'cases.go',
      build: ['go', 'build', '-o', 'receiver', 'receiver.go', 'cases.go'],
      run: ['./receiver', 'cases'],
    },
    serve: () => ['./receiver'],
  },
  {
    name: 'Java',
    // An older one does not know HexFormat.
    isPresent: ['javac', '--release', '17', '--version'],
    file: 'Receiver.java',
    cases: {
      file: 'Cases.java',
      build: ['javac', '-d', 'classes', 'Receiver.java', 'Cases.java'],
      run: ['java', '-cp', 'classes', 'Cases'],
    },
    serve: () => ['java', 'Receiver.java'],
  },
  {
    name: 'C#',
    // An older one does not run a single file.
    isPresent: ['sh', '-c', "dotnet --version | grep -q '^[1-9][0-9]'"],
    file: 'receiver.cs',
    serve: () => ['dotnet', 'run', 'receiver.cs'],
  },
]

test('the dashboard shows a receiver in each language', () => {
  assert.deepEqual(
    Object.keys(RECEIVERS),
    LANGUAGES.map(({ name }) => name),
  )
})

for (const language of LANGUAGES) {
  const { name, isPresent } = language
  const [program, ...args] = isPresent
  if (spawnSync(program, args).status !== 0) {
    console.log(`NOT RUN: the ${name} receiver, since this machine lacks what \`${isPresent.join(' ')}\` looks for`)
    continue
  }

  test(`the ${name} receiver of the dashboard and the guide runs as pasted, takes what is signed, and refuses the rest`, {
    rules: ['receiver.code-runs-as-pasted'],
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const folder = await writeReceiver(t, language)

    await t.test('accepts and refuses the test vectors as documented', async () => {
      if (language.cases === undefined) return
      const cases = await makeCases()
      await writeFile(join(folder, 'cases.json'), JSON.stringify(cases.map(([, input]) => input)))
      await writeFile(join(folder, 'cases.txt'), cases.map(([, input]) => toLine(input)).join('\n'))
      const results: boolean[] = JSON.parse(await run(folder, language.cases.run))

      assert.deepEqual(
        results.map((result, at) => [cases[at]?.[0], result]),
        cases.map(([title, , expected]) => [title, expected]),
      )
    })

    await t.test('from a hub', async (t) => {
      for (const format of ['native', 'compat'] as const) await receiveFromHub(t, folder, language, format)
    })
  })
}

async function receiveFromHub(t: TestContext, folder: string, language: Language, format: keyof typeof VERSIONS) {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/hook`
  const hub = await startHub(t, { env: { WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1:${port}` } })
  const { key } = await hub.organization()
  const client = new Hub({ url: hub.url, credential: key })
  const { webhook, secret } = await client.webhooks.create({ name: 'Receiver', url, delivery_format: format })
  await startReceiver(t, folder, language.serve(port), {
    PORT: String(port),
    HUB_WEBHOOK_SECRET: secret,
    HUB_WEBHOOK_VERSION: VERSIONS[format],
  })

  await client.webhooks.test(webhook.id)
  await hub.deliver()
  const [delivery] = await client.webhooks.listDeliveries(webhook.id).toArray()
  assert.deepEqual([delivery?.status, delivery?.last_http_status], ['succeeded', 204])

  const rotated = await client.webhooks.rotateSecret(webhook.id, { overlap_seconds: 60 })
  await client.webhooks.test(webhook.id)
  await hub.deliver()
  const [afterRotation] = await client.webhooks.listDeliveries(webhook.id).toArray()
  assert.notEqual(rotated.secret, secret)
  assert.deepEqual([afterRotation?.status, afterRotation?.last_http_status], ['succeeded', 204])

  const body = '{"event":"message.received","data":{"message":{"from":"5511999990000"}}}'
  const signed = await signWebhook(secret, body, { format })
  assert.equal(await post(url, signed, body), 204)
  assert.equal(await post(url, signed, body.replace('99', '98')), 401)
  assert.equal(await post(url, {}, body), 401)
  assert.equal(await post(url, { ...signed, 'X-Hub-Delivery-Id': 'not-a-uuid' }, body), 401)
  const old = await signWebhook(secret, body, {
    format,
    timestamp: Math.floor(Date.now() / 1000) - TOLERANCE_SECONDS - 60,
  })
  assert.equal(await post(url, old, body), format === 'native' ? 401 : 204)
  const other = format === 'native' ? 'compat' : 'native'
  assert.equal(await post(url, await signWebhook(secret, body, { format: other }), body), 401)
}

/** The result that each test vector must have, for a receiver of its format and of the other one, and around the tolerance. */
async function makeCases(): Promise<[title: string, input: Case, expected: boolean][]> {
  const vectors = JSON.parse(await readFile(join(GUIDES, 'webhook-signatures.json'), 'utf8'))
  const signed = vectors.signed as (Signed & { name: string })[]
  const refused = vectors.refused as (Signed & { name: string })[]
  const rotated = vectors.rotated as (Signed & { name: string; previous_secret: string })[]
  const now = 1_700_000_000
  const unset = `sha256=${createHmac('sha256', '').update('{}').digest('hex')}`
  const unsetHeaders = {
    'X-Hub-Delivery-Id': crypto.randomUUID(),
    'X-Hub-Signature-Version': 'compat-v1',
    'X-Hub-Signature-256': unset,
  }

  return [
    ...signed.flatMap((vector): [string, Case, boolean][] => {
      const { name, secret, headers, timestamp, format } = vector
      const isNative = format === 'native'
      const input = {
        secrets: [secret],
        headers,
        body_base64: encodeBody(vector),
        version: VERSIONS[format],
        now: timestamp,
      }
      const late = timestamp + TOLERANCE_SECONDS
      const early = timestamp - TOLERANCE_SECONDS
      return [
        [name, input, true],
        [`${name}, for the other format`, { ...input, version: VERSIONS[isNative ? 'compat' : 'native'] }, false],
        [`${name}, as old as is allowed`, { ...input, now: late }, true],
        [`${name}, too old`, { ...input, now: late + 1 }, !isNative],
        [`${name}, as early as is allowed`, { ...input, now: early }, true],
        [`${name}, too early`, { ...input, now: early - 1 }, !isNative],
      ]
    }),
    ...refused.flatMap((vector) =>
      Object.values(VERSIONS).map((version): [string, Case, boolean] => {
        const { name, secret, headers } = vector
        return [
          `${name}, ${version}`,
          { secrets: [secret], headers, body_base64: encodeBody(vector), version, now },
          false,
        ]
      }),
    ),
    ...rotated.flatMap((vector): [string, Case, boolean][] => {
      const { name, secret, previous_secret, headers, format } = vector
      const input = { headers, body_base64: encodeBody(vector), version: VERSIONS[format], now }
      return [
        [`${name}, new`, { ...input, secrets: [secret, ''] }, true],
        [`${name}, old`, { ...input, secrets: [previous_secret] }, true],
        [`${name}, both`, { ...input, secrets: ['whsec_other', previous_secret, secret] }, true],
        [`${name}, neither`, { ...input, secrets: ['whsec_other', 'whsec_older'] }, false],
      ]
    }),
    ['no secret', { secrets: ['', ''], headers: unsetHeaders, body_base64: 'e30=', version: 'compat-v1', now }, false],
  ]
}

/** For a language that reads no JSON. */
function toLine({ secrets, version, now, body_base64, headers }: Case): string {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const pairs = Object.entries(headers).map((pair) => pair.map(encode).join(':'))
  return [secrets.map(encode).join(','), version, now, body_base64, pairs.join(',')].join(' ')
}

function encodeBody({ body, body_base64 }: { body?: string; body_base64?: string }): string {
  return body_base64 ?? Buffer.from(body ?? '').toString('base64')
}

async function writeReceiver(t: TestContext, { name, file, cases }: Language): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-receiver-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, file), RECEIVERS[name] ?? '')
  if (cases) await writeFile(join(folder, cases.file), CASES_PROGRAMS[cases.file] ?? '')
  if (cases?.build) await run(folder, cases.build)
  return folder
}

async function run(folder: string, [program, ...args]: Command): Promise<string> {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off', PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env })
  return stdout
}

/** Resolves when the receiver has written its first line, which each does once it listens. */
async function startReceiver(t: TestContext, cwd: string, [program, ...args]: Command, env: Record<string, string>) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const line = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')])
  const first = await Promise.race([line, exit.then(() => undefined)])
  assert.ok(first && child.exitCode === null, `${program} ended: ${first}`)
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  assert.ok(address && typeof address === 'object')
  return address.port
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const all = { 'content-type': 'application/json', ...headers }
  const { status } = await fetch(url, { method: 'POST', headers: all, body })
  return status
}
